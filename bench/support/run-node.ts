/** Runs programs of Node for a bench. A program that fails must not count as a fast one. */
import { spawnSync } from "node:child_process";

interface Surroundings {
  readonly input?: string;
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
}

/** Runs a program to its end. @returns what it printed. @throws Error when it fails. */
export function runNode(args: readonly string[], surroundings: Surroundings = {}): string {
  const { status, signal, stdout, stderr } = spawnSync(process.execPath, args, {
    ...surroundings,
    encoding: "utf8",
  });
  if (status !== 0) {
    throw new Error(`${args.join(" ")} ended with ${status ?? signal}: ${stderr}`);
  }
  return stdout;
}
