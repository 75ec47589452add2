/**
 * Starts a capture and does not wait for it: the agent goes on at once. Whether anything may be recorded is for the capture to
 * find out.
 */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";

/** What the hook calls; it reads the payload from its standard input and prints nothing. */
const CAPTURE_ARGUMENTS = ["record", "capture", "--hook"] as const;

interface Start {
  /** Absolute path of the command line's file. */
  readonly program: string;
  /** Where the session is. */
  readonly folder: string;
  /** The hook's payload, as the client sent it. It goes through a pipe: nothing unredacted touches the disk. */
  readonly payload: string;
}

/** Resolves when the capture has taken the payload. */
export async function startCapture({ program, folder, payload }: Start): Promise<void> {
  const child = spawn(process.execPath, [program, ...CAPTURE_ARGUMENTS], {
    ...(existsSync(folder) && { cwd: folder }),
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
    windowsHide: true,
  });
  await new Promise<void>((done) => {
    child.once("error", () => done());
    child.stdin.once("error", () => done()).end(payload, () => done());
  });
  child.unref();
}
