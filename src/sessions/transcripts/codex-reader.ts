import { open } from "node:fs/promises";
import { join } from "node:path";
import { placeMark } from "./claude-code-sources.ts";
import { meaningOf, targetOf } from "./codex-tools.ts";
import { readCodexLine } from "./codex-transcript.ts";
import { namesIn } from "./names-in.ts";
import type { TranscriptReader } from "./transcript.ts";

export const codexReader: TranscriptReader = {
  agent: "codex",
  name: "Codex",
  revision: 2,
  find: findCodexRollouts,
  markOf: placeMark,
  readLine: readCodexLine,
  targetOf,
  meaningOf,
};

/** Where Codex keeps its rollouts: a file for each session and each child agent, in folders by day, whatever the project. */
const ROLLOUT = /(?:^|[/\\])(rollout-[^/\\]+\.jsonl)$/;
/** What the person archives comes into a folder of its own. */
const FOLDERS = ["sessions", "archived_sessions"];
/** The first line names the folder of the session before everything that is long. */
const HEAD_BYTES = 4096;
const ROOT = "/";
const CWD = /"cwd":("(?:[^"\\]|\\.)*")/;

/**
 * Paths of the rollouts of sessions that began in these folders, or below or above them; the oldest first, so that child agents
 * come after the session that started them.
 * @param clientFolder `.codex` in the home folder, unless CODEX_HOME says otherwise.
 */
async function findCodexRollouts(clientFolder: string, folders: readonly string[]): Promise<readonly string[]> {
  const found = await Promise.all(FOLDERS.map((folder) => rolloutsIn(join(clientFolder, folder))));
  const paths = found.flat().sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
  if (folders.some((folder) => folder === ROOT)) return paths;
  const near: string[] = [];
  for (const path of paths) {
    const began = await folderOf(path);
    if (folders.some((folder) => began.startsWith(folder) || folder.startsWith(began))) near.push(path);
  }
  return near;
}

async function rolloutsIn(folder: string): Promise<string[]> {
  const names = await namesIn(folder, { recursive: true });
  return names.filter((name) => ROLLOUT.test(name)).map((name) => join(folder, name));
}

/** The time and the id: they order themselves. */
const nameOf = (path: string): string => ROLLOUT.exec(path)?.[1] ?? path;

/** The folder in which a session began; empty, so that it is near to all, where no line says it. */
async function folderOf(path: string): Promise<string> {
  try {
    const file = await open(path, "r");
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
      return JSON.parse(CWD.exec(buffer.subarray(0, bytesRead).toString("utf8"))?.[1] ?? '""');
    } finally {
      await file.close();
    }
  } catch {
    return "";
  }
}
