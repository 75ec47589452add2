/** Where Claude Code keeps its transcripts: a folder for each folder that it was started in, named after it. */
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { namesIn } from "./names-in.ts";

/** A longer name is cut there and ends in a hash. */
const LONGEST_NAME = 200;
const TRANSCRIPT = /\.jsonl$/;
const CHILD_AGENT = /(?:^|[/\\])agent-[^/\\]+\.jsonl$/;

/**
 * Paths of the transcripts that may hold lines of sessions in these folders, or below or above them; the oldest first, child agents last. A name
 * only proposes: every character that is not a letter or a digit is a hyphen in it, so many folders have the same one.
 * @param clientFolder `.claude` in the home folder, unless CLAUDE_CONFIG_DIR says otherwise.
 */
export async function findClaudeCodeTranscripts(
  clientFolder: string,
  folders: readonly string[],
): Promise<readonly string[]> {
  const root = join(clientFolder, "projects");
  const wanted = folders.map((folder) => folder.replace(/[^a-zA-Z0-9]/g, "-").slice(0, LONGEST_NAME));
  const names = (await namesIn(root)).filter((name) => {
    const start = name.slice(0, LONGEST_NAME);
    return wanted.some((one) => start.startsWith(one) || one.startsWith(start));
  });
  const found = await Promise.all(
    names.map(async (name) =>
      (await namesIn(join(root, name), { recursive: true })).map((path) => join(root, name, path)),
    ),
  );
  const paths = await oldestFirst(found.flat().filter((path) => TRANSCRIPT.test(path)));
  return [...paths.filter((path) => !CHILD_AGENT.test(path)), ...paths.filter((path) => CHILD_AGENT.test(path))];
}

/** What stands in every line that was said in a folder, or below it. */
export const placeMark = (folder: string): string => `"cwd":${JSON.stringify(folder).slice(0, -1)}`;

/** A session that goes on from another one repeats its lines: they are the other's. */
async function oldestFirst(paths: readonly string[]): Promise<string[]> {
  const born = await Promise.all(
    paths.map(async (path) => (await stat(path).catch(() => undefined))?.birthtimeMs ?? Number.POSITIVE_INFINITY),
  );
  return paths
    .map((path, index) => ({ path, at: born[index] as number }))
    .sort((a, b) => a.at - b.at)
    .map(({ path }) => path);
}
