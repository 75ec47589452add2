/** What a command asks of git. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";

const run = promisify(execFile);

/** Short hashes of the commits, on any branch, that added or removed a line with this text; none where there is no git. */
export async function commitsThatHold(text: string, folder: string): Promise<string[]> {
  try {
    const { stdout } = await run("git", ["log", "--all", "--format=%h", `-G${text}`, "--", "."], { cwd: folder });
    return stdout.split("\n").filter((hash) => hash !== "");
  } catch {
    return [];
  }
}

/** Whether git tracks a file, which need not exist; undefined where there is no repository. @param path from the folder. */
export async function isTracked(path: string, folder: string): Promise<boolean | undefined> {
  try {
    const { stdout } = await run("git", ["ls-files", "--", path], { cwd: folder });
    return stdout !== "";
  } catch {
    return undefined;
  }
}
