import { resolve } from "node:path";
import { expect } from "vitest";
import type { Project } from "./project.ts";
import { runProcess } from "./run-process.ts";
import { UNHURRIED } from "./unhurried.ts";

/** Runs the built hook, as an agent in the project's folder does. @returns what it prints. */
export async function lessonHook(project: Project, payload: object): Promise<string> {
  const { folder: cwd, env } = project;
  const stdin = JSON.stringify({ session_id: "s", cwd, ...payload });
  const place = { cwd, env: { ...env, ...UNHURRIED }, stdin };
  const hook = resolve("dist/server/hook.cjs");
  const { exit, stdout, stderr } = await runProcess(process.execPath, [hook], place);
  expect([stderr, exit]).toEqual(["", 0]);
  return stdout;
}
