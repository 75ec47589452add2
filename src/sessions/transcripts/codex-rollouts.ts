/** Finds the rollouts of Codex: a file for each session and each child agent, in folders by day, for all projects together. */
import { join } from "node:path";
import { tryOr } from "../../ground/core/errors.ts";
import { comparablePath } from "../../ground/files/paths.ts";
import { jsonLinesIn } from "../../ground/files/read-files.ts";
import { CAN_UNPACK, COMPRESSED, headOf } from "../../ground/files/readable-file.ts";
import { ANYWHERE } from "./claude-code.ts";

const ROLLOUT = /(?:^|[/\\])(rollout-[^/\\]+)$/;
/** Sessions that the user archives are moved to the second one. */
const FOLDERS = ["sessions", "archived_sessions"];
/** The first line has the session's folder near its beginning. */
const HEAD_BYTES = 4096;
const CWD = /"cwd":("(?:[^"\\]|\\.)*")/;

/** The rollouts of sessions in these folders, the oldest first. */
export async function findRollouts(
  clientFolder: string,
  folders: readonly string[],
): Promise<readonly string[]> {
  const plain = await rolloutsIn(clientFolder, ".jsonl");
  const compressed = CAN_UNPACK ? await findCompressed(clientFolder) : [];
  const paths = [...plain, ...compressed].sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
  if (folders.includes(ANYWHERE)) {
    return paths;
  }
  const wanted = folders.map((folder) => comparablePath(folder));
  return paths.filter((path) => {
    const began = comparablePath(folderIn(path, HEAD_BYTES));
    return wanted.some((folder) => began.startsWith(folder) || folder.startsWith(began));
  });
}

/** Rollouts of any project that Codex has compressed, which it does after seven days. */
export function findCompressed(clientFolder: string): Promise<string[]> {
  return rolloutsIn(clientFolder, `.jsonl${COMPRESSED}`);
}

async function rolloutsIn(clientFolder: string, ending: string): Promise<string[]> {
  const found = await Promise.all(
    FOLDERS.map((folder) => jsonLinesIn(join(clientFolder, folder), ending)),
  );
  return found.flat().filter((path) => ROLLOUT.test(path));
}

/** The time and the id, which sort by time. */
const nameOf = (path: string): string => ROLLOUT.exec(path)?.[1] ?? path;

/** The folder in which a session began, from the first bytes of its transcript. Empty if they don't contain it, so that it's near all folders. */
export function folderIn(path: string, bytes: number): string {
  return tryOr(() => JSON.parse(CWD.exec(headOf(path, bytes))?.[1] ?? '""'), "");
}
