/** Finds the transcripts of Claude Code. It has a folder for each folder in which it was started, named after that. */
import { stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { jsonLinesIn, namesIn } from "../../ground/files/names-in.ts";
import { comparablePath } from "../../ground/files/windows-paths.ts";
import { claudeCodeName } from "./folder-names.ts";

/** For `find`: sessions of any folder. */
export const ANYWHERE = "/";

/** Longer names are cut and end in a hash. */
const LONGEST_NAME = 200;
/** The progress of a workflow, next to the transcripts of its agents. */
const WORKFLOW_JOURNAL = "journal.jsonl";
const CHILD_AGENT = /(?:^|[/\\])agent-[^/\\]+\.jsonl$/;

/**
 * Paths of transcripts that may have lines from these folders or those around them, because a hyphen in a name may replace any character.
 * The oldest comes first, child agents come last.
 */
export async function find(
  clientFolder: string,
  folders: readonly string[],
): Promise<readonly string[]> {
  const root = join(clientFolder, "projects");
  const names = (await namesIn(root)).filter((name) =>
    folders.some((folder) => mayBeNamedAfter(folder, name)),
  );
  const found = await Promise.all(names.map((name) => jsonLinesIn(join(root, name))));
  const transcripts = found.flat().filter((path) => basename(path) !== WORKFLOW_JOURNAL);
  const paths = await oldestFirst(transcripts);
  return [
    ...paths.filter((path) => !CHILD_AGENT.test(path)),
    ...paths.filter((path) => CHILD_AGENT.test(path)),
  ];
}

/** Whether a folder of transcripts may belong to a folder, one below it or one around it. @internal */
export function mayBeNamedAfter(
  folder: string,
  name: string,
  platform = process.platform,
): boolean {
  if (folder === ANYWHERE) return true;
  const asName = (path: string) =>
    comparablePath(claudeCodeName(path).slice(0, LONGEST_NAME), platform);
  const wanted = asName(folder);
  const start = asName(name);
  return start.startsWith(wanted) || wanted.startsWith(start);
}

/** A fork is in the folder of the session that it was copied from. */
export const transcriptBeside = (path: string, session: string): string =>
  join(dirname(path), `${session}.jsonl`);

/** The text that every line from a folder, or one below it, contains. */
export const markOf = (folder: string): string => `"cwd":${JSON.stringify(folder).slice(0, -1)}`;

/** A session that continues another one repeats its lines. They belong to the older one. */
async function oldestFirst(paths: readonly string[]): Promise<string[]> {
  const born = paths.map(async (path) => ({
    path,
    at: (await stat(path).catch(() => undefined))?.birthtimeMs,
  }));
  const late = Number.MAX_VALUE;
  return (await Promise.all(born))
    .sort((a, b) => (a.at ?? late) - (b.at ?? late))
    .map(({ path }) => path);
}
