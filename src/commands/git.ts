/** What a command asks of git; where there is none, the answer is empty. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";

const run = promisify(execFile);

/** Short hashes of the commits, on any branch, that added or removed a line with this text. */
export async function commitsThatHold(text: string, folder: string): Promise<string[]> {
  try {
    const { stdout } = await run("git", ["log", "--all", "--format=%h", `-G${text}`, "--", "."], { cwd: folder });
    return stdout.split("\n").filter((hash) => hash !== "");
  } catch {
    return [];
  }
}
