/** Where Cursor keeps its transcripts: below the name of the folder that was opened, which counts only where no other folder has that name. */
import { readdir, stat } from "node:fs/promises";
import { basename, dirname, join, parse, relative } from "node:path";
import { jsonLinesIn } from "../../ground/files/names-in.ts";
import { known } from "./fields.ts";
import type { Frame } from "./transcript.ts";

const PROJECTS = "projects";
const TRANSCRIPTS = "agent-transcripts";
/** A child agent's transcript lies in a folder of this name, and says no time. */
const CHILD_AGENTS = "subagents";

/** Paths of the transcripts of sessions in these folders, and in others with the same name. @param clientFolder `.cursor` in the home folder. */
export async function find(
  clientFolder: string,
  folders: readonly string[],
): Promise<readonly string[]> {
  const names = [...new Set(folders.map(nameOf))];
  const found = names.map((name) => jsonLinesIn(join(clientFolder, PROJECTS, name, TRANSCRIPTS)));
  return (await Promise.all(found))
    .flat()
    .filter((path) => basename(dirname(path)) !== CHILD_AGENTS);
}

/** The session, its folder, if that is certain, and the latest time at which any of it can have been said: the file's last change. */
export async function frameOf(path: string, folders: readonly string[]): Promise<Frame> {
  const session = basename(path, ".jsonl");
  const name = nameIn(path);
  const opened = folders.find((folder) => nameOf(folder) === name);
  const cwd = opened !== undefined && (await isOnlyFolderNamed(opened)) ? opened : undefined;
  const changed = await stat(path).catch(() => undefined);
  return { session, ...known({ cwd, until: changed?.mtime.toISOString() }) };
}

/** Whether no other folder has the name that a client makes of its path: a hyphen may stand for any character, also for one between folders. */
export async function isOnlyFolderNamed(folder: string): Promise<boolean> {
  for await (const other of foldersNamed(nameOf(folder), parse(folder).root))
    if (other !== folder) return false;
  return true;
}

async function* foldersNamed(name: string, root: string): AsyncGenerator<string> {
  for (const entry of await readdir(root, { withFileTypes: true }).catch(() => [])) {
    const part = asName(entry.name);
    const mayBeFolder = entry.isDirectory() || entry.isSymbolicLink();
    if (!mayBeFolder || !name.startsWith(part)) continue;
    const folder = join(root, entry.name);
    if (name === part) yield folder;
    else if (name[part.length] === "-") yield* foldersNamed(name.slice(part.length + 1), folder);
  }
}

/** The folder of a transcript that is named after the one that was opened; the transcript may have a folder of its own in it. */
function nameIn(path: string): string {
  let folder = dirname(path);
  while (basename(folder) !== TRANSCRIPTS && folder !== dirname(folder)) folder = dirname(folder);
  return basename(dirname(folder));
}

const nameOf = (folder: string): string => asName(relative(parse(folder).root, folder));

const asName = (path: string): string => path.replace(/[^a-zA-Z0-9]/g, "-");
