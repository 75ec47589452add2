/** Starts a capture as a process of its own, for which a hook waits a bounded time. The capture finds out whether it may record. */
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathOnDisk } from "../../ground/files/named-file.ts";
import { SERVER_FILE } from "../../ground/project/context-folder.ts";

/** What the hook calls; it reads the payload from its standard input and prints nothing. */
const CAPTURE_ARGUMENTS = ["sessions", "capture", "--hook"] as const;

interface Start {
  /** Absolute path of the command line's file. */
  readonly program: string;
  /** The project's folder. */
  readonly folder: string;
  /** The hook's payload, as the client sent it. It goes through a pipe: nothing unredacted touches the disk. */
  readonly payload: string;
}

/** The command line beside a hook or above a part of the server, or in one file with it. @param build the folder of that file. */
export function commandLineIn(build: string): string {
  const apart = [build, dirname(build)].map((folder) => join(folder, "cli.mjs"));
  return apart.find((file) => existsSync(file)) ?? join(build, SERVER_FILE);
}

/** @returns whether the capture ended within so many ms. */
export async function captureWithin(start: Start, patienceMs: number): Promise<boolean> {
  const child = await startCapture(start);
  if (child.exitCode !== null) return child.exitCode === 0;
  const ended = new Promise<boolean>((done) => child.once("exit", (code) => done(code === 0)));
  return Promise.race([ended, sleep(patienceMs, false)]);
}

/** Resolves when the capture has taken the payload. */
export async function startCapture({ program, folder, payload }: Start): Promise<ChildProcess> {
  const cwd = pathOnDisk(folder);
  // Named, because a copy of the program would take its own project.
  const project = cwd === undefined ? [] : ["--project", cwd];
  const child = spawn(process.execPath, [program, ...project, ...CAPTURE_ARGUMENTS], {
    ...(cwd !== undefined && { cwd }),
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
