/** Finds the transcripts of Cursor, in a folder named after the opened project folder. The name is used only if it fits no other folder. */
import { stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { jsonLinesIn, namesIn } from "../../ground/files/names-in.ts";
import { known } from "./fields.ts";
import { cursorName, isNamedAfter, isOnlyFolderNamed } from "./folder-names.ts";
import type { Frame, ToldSession } from "./transcript.ts";

const PROJECTS = "projects";
const TRANSCRIPTS = "agent-transcripts";
/** A child agent's transcript is in a folder of this name, and has no times. */
const CHILD_AGENTS = "subagents";

/** Paths of the transcripts of sessions in these folders, and in others with the same name. @param clientFolder `.cursor` or CURSOR_DATA_DIR. */
export async function find(
  clientFolder: string,
  folders: readonly string[],
): Promise<readonly string[]> {
  const projects = join(clientFolder, PROJECTS);
  const names = (await namesIn(projects)).filter((name) =>
    folders.some((folder) => isNamedAfter(name, folder, cursorName)),
  );
  const found = names.map((name) => jsonLinesIn(join(projects, name, TRANSCRIPTS)));
  return (await Promise.all(found))
    .flat()
    .filter((path) => basename(dirname(path)) !== CHILD_AGENTS);
}

/**
 * The session, its folder if that is certain, and the time of the file's last change, which is the latest time of its lines.
 * @param toldOf a hook's report of a session.
 */
export async function frameOf(
  path: string,
  folders: readonly string[],
  toldOf: (session: string) => ToldSession | undefined = () => undefined,
): Promise<Frame> {
  const session = basename(path, ".jsonl");
  const told = toldOf(session);
  const cwd = told?.folder ?? (await folderByName(nameIn(path), folders));
  const changed = await stat(path).catch(() => undefined);
  return { session, ...known({ cwd, ts: told?.began, until: changed?.mtime.toISOString() }) };
}

async function folderByName(name: string, folders: readonly string[]): Promise<string | undefined> {
  const opened = folders.find((folder) => isNamedAfter(name, folder, cursorName));
  if (opened === undefined) return undefined;
  return (await isOnlyFolderNamed(opened, cursorName)) ? opened : undefined;
}

/** The folder of a transcript that is named after the one that was opened. The transcript may be in a subfolder of it. */
function nameIn(path: string): string {
  let folder = dirname(path);
  while (basename(folder) !== TRANSCRIPTS && folder !== dirname(folder)) folder = dirname(folder);
  return basename(dirname(folder));
}
