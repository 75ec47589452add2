/** Auto memory of Claude Code: Markdown files in a folder named after the repository's, or in the folder from its settings. */
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { PERSONAL_HOOKS } from "../../ground/clients/claude-code.ts";
import { tryOr } from "../../ground/core/errors.ts";
import { inBothForms } from "../../ground/core/text.ts";
import { isFolder, isWithin, pathOnDisk } from "../../ground/files/named-file.ts";
import { namesIn } from "../../ground/files/names-in.ts";
import { leadsOut } from "../../ground/project/leads-out.ts";
import type { Folders } from "../capture/belonging.ts";
import { folderIn } from "../transcripts/codex.ts";
import { claudeCodeName, isOnlyFolderNamed } from "../transcripts/folder-names.ts";
import type { NoteText } from "./note.ts";
import { textAt, textsOf } from "./texts-of.ts";

/** The working folder appears within this much of a transcript's beginning. */
const HEAD_BYTES = 64 * 1024;
const OF_THE_PERSON = /^---\r?\n(?:(?!---).*\r?\n)*?\s*type:\s*["']?user\b/;
const MANAGED: Readonly<Partial<Record<NodeJS.Platform, string>>> = {
  darwin: "/Library/Application Support/ClaudeCode/managed-settings.json",
  win32: "C:\\Program Files\\ClaudeCode\\managed-settings.json",
};

/** @param folder the project's, whose settings apply. @returns also the searched folders and the problems in settings. */
export async function claudeCodeNotes(clientFolder: string, folders: Folders, folder: string) {
  const worktrees = folders.worktrees();
  const texts: NoteText[] = [];
  const looked = new Set<string>();
  const told = new Set<string>();
  for (const place of new Set([folder, ...worktrees])) {
    const memory = await memoryInSettings(clientFolder, place, told);
    if (memory === undefined || looked.has(memory)) continue;
    looked.add(memory);
    texts.push(...(await textsOf(memory, { isOne: true })));
  }
  for (const worktree of inBothForms(worktrees)) {
    const place = join(clientFolder, "projects", claudeCodeName(worktree));
    const memory = join(place, "memory");
    if (looked.has(memory)) continue;
    looked.add(memory);
    const found = await textsOf(memory, { isOne: true });
    const isOurs =
      found.length > 0 &&
      (await isOnlyFolderNamed(worktree, claudeCodeName)) &&
      (await beganHere(place, folders));
    texts.push(...found.map((one) => ({ ...one, isLeft: !isOurs })));
  }
  return {
    texts: texts.map((one) => ({
      ...one,
      isLeft: one.isLeft === true || OF_THE_PERSON.test(one.text),
    })),
    looked: [...looked],
    told: [...told],
  };
}

/**
 * The folder set as `autoMemoryDirectory` in the settings with the highest priority, but never one that contains the project. Shared
 * settings come with a clone, so they may only set a folder in the project.
 * @param told receives the problems in settings, for display.
 */
async function memoryInSettings(
  clientFolder: string,
  folder: string,
  told: Set<string>,
): Promise<string | undefined> {
  const managed = MANAGED[process.platform] ?? "/etc/claude-code/managed-settings.json";
  const shared = join(folder, ".claude/settings.json");
  for (const file of [
    managed,
    join(folder, PERSONAL_HOOKS),
    shared,
    join(clientFolder, "settings.json"),
  ]) {
    const text = await textAt(file);
    if (text === undefined) continue;
    const settings: { autoMemoryDirectory?: unknown } | null | undefined = tryOr(
      () => JSON.parse(text),
      undefined,
    );
    if (settings === undefined) told.add(`Passed over ${file}: it is not JSON.`);
    const named = settings?.autoMemoryDirectory;
    if (typeof named !== "string" || named === "") continue;
    const memory = resolve(
      folder,
      named.replace(/^~(?=[/\\]|$)/, () => homedir()),
    );
    const onDisk = pathOnDisk(memory) ?? memory;
    if (file === shared && (!isWithin(folder, memory) || leadsOut(onDisk, folder))) {
      told.add(
        `Passed over autoMemoryDirectory of ${file}: shared settings may only name a folder in the project.`,
      );
      continue;
    }
    if (isWithin(memory, folder)) return undefined;
    if (!isFolder(onDisk))
      told.add(`autoMemoryDirectory of ${file} names ${memory}, which is no folder.`);
    return onDisk;
  }
  return undefined;
}

/** Whether all transcripts next to the notes began in this project. Other projects can map to the same folder name. */
async function beganHere(place: string, folders: Folders): Promise<boolean> {
  for (const name of await namesIn(place)) {
    const cwd = name.endsWith(".jsonl") ? folderIn(join(place, name), HEAD_BYTES) : "";
    if (cwd !== "" && !folders.of(cwd).isOurs) return false;
  }
  return true;
}
