/** What a person does at the command line in a clone whose session log a daemon keeps. */
import { expect } from "vitest";
import { BIN, type Project } from "./project.ts";
import { runProcess } from "./run-process.ts";
import { UNHURRIED } from "./unhurried.ts";

/** Runs a person's command in a clone. @returns its status and all that it said. */
export async function sentinel(
  project: Project,
  args: readonly string[],
  env: Record<string, string> = {},
) {
  const place = { ...project.place(), env: { ...project.env, ...UNHURRIED, ...env } };
  const { exit, stdout, stderr } = await runProcess(process.execPath, [BIN, ...args], place);
  return { exit, text: stdout + stderr };
}

/** Turns recording on. @returns what that says. */
export async function recordOn(
  project: Project,
  url: string,
  token: string,
  ...more: readonly string[]
): Promise<string> {
  const { exit, text } = await sentinel(project, ["sessions", "on", "--url", url, ...more], {
    SENTINEL_TOKEN: token,
  });
  expect([exit, text]).toEqual([0, expect.stringContaining(`The session log: ${url}`)]);
  return text;
}

/** Also reads what was said before recording was turned on. */
export async function captureAll(project: Project): Promise<string> {
  return (await sentinel(project, ["sessions", "capture", "--all", "--yes"])).text;
}
