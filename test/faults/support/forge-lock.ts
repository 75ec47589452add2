import { mkdir, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Project } from "../../support/project.ts";

/** The owner of a lock on another host. */
export const ELSEWHERE = { pid: 1, started: "1", host: "elsewhere 0 0", token: "unrecognised" };

/** Puts a lock where another program would. */
export async function forgeLock(
  { context, file }: Project,
  owner: object,
  age: number,
): Promise<string> {
  const lock = `${file}.lock`;
  await mkdir(context, { recursive: true });
  await mkdir(lock);
  await writeFile(join(lock, "owner.json"), JSON.stringify(owner));
  const then = new Date(Date.now() - age);
  await utimes(lock, then, then);
  return lock;
}
