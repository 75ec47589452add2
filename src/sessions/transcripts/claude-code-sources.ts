/** Where Claude Code keeps its transcripts: a folder for each folder that it was started in, named after it. */
import { stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { jsonLinesIn, namesIn } from "../../ground/files/names-in.ts";
import { comparablePath } from "../../ground/files/windows-paths.ts";
import { claudeCodeName } from "./folder-names.ts";

/** For `find`: sessions of any folder. */
export const ANYWHERE = "/";

/** A longer name is cut there and ends in a hash. */
const LONGEST_NAME = 200;
/** Next to the transcripts of a workflow's agents: how far it came. */
const WORKFLOW_JOURNAL = "journal.jsonl";
const CHILD_AGENT = /(?:^|[/\\])agent-[^/\\]+\.jsonl$/;

/** Paths of transcripts that may hold lines of these folders or those around, the oldest first, child agents last: hyphens are of any sign. */
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

/** Whether a folder of transcripts may be of a folder, one below it or one around it. @internal */
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

/** What stands in every line that was said in a folder, or below it. */
export const markOf = (folder: string): string => `"cwd":${JSON.stringify(folder).slice(0, -1)}`;

/** A session that goes on from another one repeats its lines: they are the other's. */
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
