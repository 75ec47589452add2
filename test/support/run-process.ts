import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";

export interface Ended {
  /** Exit status, or the signal that ended it. */
  readonly exit: number | string;
  readonly stdout: string;
  readonly stderr: string;
}

/** Only tells a process that hangs from one that works, in ms. */
const DEADLINE = 120_000;

/** Runs a program to its end. */
export async function runProcess(
  command: string,
  args: readonly string[],
  {
    stdin = "",
    deadline = DEADLINE,
    ...surroundings
  }: { env: Record<string, string>; cwd: string; stdin?: string; deadline?: number },
): Promise<Ended> {
  const child = spawn(command, args, { ...surroundings, timeout: deadline, killSignal: "SIGKILL" });
  const exited = new Promise<number | string>((done, failed) => {
    child.once("error", failed);
    child.once("close", (code, signal) => done(code ?? signal ?? "unknown"));
  });
  // A program that ends without reading its input is no failure of the one who wrote it.
  child.stdin.on("error", () => undefined).end(stdin);
  const [stdout, stderr, exit] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    exited,
  ]);
  return { exit, stdout, stderr };
}
