/** Auto memory of Claude Code: Markdown files in a folder named after the repository's, or in the folder from its settings. */
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { PERSONAL_HOOKS } from "../../ground/clients/claude-code.ts";
import { inBothForms } from "../../ground/core/text.ts";
import { isWithin, pathOnDisk } from "../../ground/files/paths.ts";
import { namesIn } from "../../ground/files/read-files.ts";
import { leadsOut } from "../../ground/project/small-text.ts";
import type { Folders } from "../capture/belonging.ts";
import { folderIn } from "../transcripts/codex.ts";
import { jsonIn } from "../transcripts/fields.ts";
import { claudeCodeName, isOnlyFolderNamed } from "../transcripts/folder-names.ts";
import type { NoteText } from "./note.ts";
import { textAt, textsOf } from "./texts-of.ts";

/** The working folder appears within this much of a transcript's beginning. */
const HEAD_BYTES = 64 * 1024;
const OF_THE_PERSON = /^---\r?\n(?:(?!---).*\r?\n)*?\s*type:\s*["']?user\b/;

/** The project's notes, except those about the user. @param folder the project's, whose settings apply. */
export async function claudeCodeNotes(
  clientFolder: string,
  folders: Folders,
  folder: string,
): Promise<NoteText[]> {
  const worktrees = folders.worktrees();
  const memories = new Set<string>();
  for (const place of new Set([folder, ...worktrees])) {
    const memory = await memoryInSettings(clientFolder, place);
    if (memory !== undefined) memories.add(memory);
  }
  for (const worktree of inBothForms(worktrees))
    if (await isOnlyFolderNamed(worktree, claudeCodeName)) {
      const place = join(clientFolder, "projects", claudeCodeName(worktree));
      if (await beganHere(place, folders)) memories.add(join(place, "memory"));
    }
  const texts = await Promise.all([...memories].map((memory) => textsOf(memory, { isOne: true })));
  return texts.flat().filter(({ text }) => !OF_THE_PERSON.test(text));
}

/** The folder set as `autoMemoryDirectory` in the settings with the highest priority, but never one that contains the project. */
async function memoryInSettings(clientFolder: string, folder: string): Promise<string | undefined> {
  const shared = join(folder, ".claude/settings.json");
  for (const file of [join(folder, PERSONAL_HOOKS), shared, join(clientFolder, "settings.json")]) {
    const named = jsonIn((await textAt(file)) ?? "").autoMemoryDirectory;
    if (typeof named !== "string" || named === "") continue;
    const memory = resolve(
      folder,
      named.replace(/^~(?=[/\\]|$)/, () => homedir()),
    );
    const onDisk = pathOnDisk(memory) ?? memory;
    // Shared settings come with a clone, so they may only set a folder in the project.
    if (file === shared && (!isWithin(folder, memory) || leadsOut(onDisk, folder))) continue;
    return isWithin(memory, folder) ? undefined : onDisk;
  }
  return undefined;
}

/** Whether all transcripts next to the notes began in this project. A deleted project can have had the same folder name. */
async function beganHere(place: string, folders: Folders): Promise<boolean> {
  for (const name of await namesIn(place)) {
    const cwd = name.endsWith(".jsonl") ? folderIn(join(place, name), HEAD_BYTES) : "";
    if (cwd !== "" && !folders.of(cwd).isOurs) return false;
  }
  return true;
}
