/** Finds the memories of clients other than Claude Code, and which of them belong to this project. */
import { homedir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { tryOr } from "../../ground/core/errors.ts";
import { inBothForms } from "../../ground/core/text.ts";
import { namesIn } from "../../ground/files/read-files.ts";
import { platformData } from "../../ground/project/context-folder.ts";
import type { Folders } from "../capture/belonging.ts";
import { jsonIn } from "../transcripts/fields.ts";
import { ownerOf } from "../transcripts/gemini.ts";
import type { NoteText } from "./note.ts";
import { rulesIn, textAt, textsOf } from "./texts-of.ts";

const APPLIES_TO = /^applies_to:\s*cwd=(.*?)\s*(?:;.*)?$/m;
/** Sections of file lists, search words and user preferences. */
const NO_NOTES = /^#{1,6}\s*(?:rollout_summary_files|keywords|user preferences|task \d+)\b/i;
const GROUPS_OWN = /^(?:scope|applies_to|reuse_rule):/;

/** Memories of Codex: one file for all projects. Each group of tasks lists its folders. */
export async function codexNotes(clientFolder: string, folders: Folders): Promise<NoteText[]> {
  const file = join(clientFolder, "memories", "MEMORY.md");
  const groups = ((await textAt(file)) ?? "").split(/^(?=# Task Group:)/m);
  const kept: string[] = [];
  for (const group of groups) {
    const isOurs = areOurs(APPLIES_TO.exec(group)?.[1] ?? "", folders);
    let isNote = false;
    for (const line of group.split("\n").slice(0, group.endsWith("\n") ? -1 : undefined)) {
      if (line.startsWith("#")) isNote = !NO_NOTES.test(line);
      kept.push(isOurs && isNote && !GROUPS_OWN.test(line) ? line : "");
    }
  }
  return [{ file, text: kept.join("\n") }];
}

/** Whether all folders of a group belong to the project. A group without folders doesn't count. */
function areOurs(said: string, folders: Folders): boolean {
  const isOurs = (folder: string) => folders.of(folder.replace(/^cwd=/, "").trim()).isOurs;
  return isOurs(said) || said.split(/ and |, /).every(isOurs);
}

/** Memory of Gemini CLI: the project's `GEMINI.md` and the notes in the project's folder below `tmp`. */
export async function geminiNotes(
  clientFolder: string,
  folders: Folders,
  folder: string,
): Promise<NoteText[]> {
  const found = await rulesIn(folder, ["GEMINI.md"]);
  for (const name of await namesIn(join(clientFolder, "tmp"))) {
    const place = join(clientFolder, "tmp", name);
    const owner = await ownerOf(place, inBothForms(folders.worktrees()));
    const isOurs = owner !== undefined && folders.of(owner).isOurs;
    if (isOurs) found.push(...(await textsOf(join(place, "memory"))));
  }
  return found;
}

/** Files of VS Code's memory tool. Only those shared by all agents of a workspace count. */
export async function vscodeNotes(folders: Folders): Promise<NoteText[]> {
  const found: NoteText[] = [];
  for (const user of vscodeFolders()) {
    for (const name of await namesIn(join(user, "workspaceStorage"))) {
      const place = join(user, "workspaceStorage", name);
      const opened = jsonIn((await textAt(join(place, "workspace.json"))) ?? "");
      const folder = tryOr(() => fileURLToPath(String(opened.folder)), "");
      const shared = join(place, "GitHub.copilot-chat", "memory-tool", "memories", "repo");
      if (folders.of(folder).isOurs) found.push(...(await textsOf(shared)));
    }
  }
  return found;
}

/** The data folders of each edition and of the remote server. */
function vscodeFolders(): string[] {
  const data =
    process.platform === "linux"
      ? join(homedir(), ".config")
      : platformData().replace(/Local$/, "Roaming");
  const editions = ["Code", "Code - Insiders"].map((edition) => join(data, edition, "User"));
  return [...editions, join(homedir(), ".vscode-server", "data", "User")];
}
