/** Starts a capture in its own process, so a hook waits only for a limited time. The capture itself checks for consent. */
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathOnDisk } from "../../ground/files/paths.ts";
import { SERVER_FILE } from "../../ground/project/context-folder.ts";

/** The arguments for a capture that reads the payload from standard input and prints nothing. */
const CAPTURE_ARGUMENTS = ["sessions", "capture", "--hook"] as const;

interface Start {
  /** Absolute path of the command line's file. */
  readonly program: string;
  /** The project's folder. */
  readonly folder: string;
  /** The hook's payload as the client sent it. The process reads it from a pipe, so no unredacted text is written to disk. */
  readonly payload: string;
}

/** The command line's file: next to a hook, in the folder above, or the server's own file. @param build the caller's folder. */
export function commandLineIn(build: string): string {
  const apart = [build, dirname(build)].map((folder) => join(folder, "cli.mjs"));
  return apart.find((file) => existsSync(file)) ?? join(build, SERVER_FILE);
}

/** @returns whether the capture succeeded within `patienceMs`. */
export async function captureWithin(start: Start, patienceMs: number): Promise<boolean> {
  const child = await startCapture(start);
  if (child.exitCode !== null) {
    return child.exitCode === 0;
  }
  const ended = new Promise<boolean>((done) => child.once("exit", (code) => done(code === 0)));
  return Promise.race([ended, sleep(patienceMs, false)]);
}

/** Resolves when the capture has received the payload. */
export async function startCapture({ program, folder, payload }: Start): Promise<ChildProcess> {
  const cwd = pathOnDisk(folder);
  // Passed explicitly, because a copy of the program in another project would use that one.
  const project = cwd === undefined ? [] : ["--project", cwd];
  const child = spawn(process.execPath, [program, ...project, ...CAPTURE_ARGUMENTS], {
    cwd,
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
    windowsHide: true,
  });
  await new Promise<void>((done) => {
    child.once("error", () => done());
    child.stdin.once("error", () => done()).end(payload, () => done());
  });
  child.unref();
  return child;
}
