/** Memories of Codex: one file for all projects, whose groups of tasks name the folders that they are of. */
import { join } from "node:path";
import type { Folders } from "../capture/belonging.ts";
import type { FoundTexts } from "./note.ts";
import { textAt } from "./texts-of.ts";

const GROUP = /^# Task Group:/;
const APPLIES_TO = /^applies_to:\s*cwd=(.*?)\s*(?:;.*)?$/;
/** Sections that list files and search words, or say how the person likes it. */
const NO_NOTES = /^#{1,6}\s*(?:rollout_summary_files|keywords|user preferences|task \d+)\b/i;
const GROUPS_OWN = /^(?:scope|applies_to|reuse_rule):/;

/** @param clientFolder `.codex` in the home folder, unless CODEX_HOME says otherwise. */
export async function codexNotes(clientFolder: string, folders: Folders): Promise<FoundTexts> {
  const file = join(clientFolder, "memories", "MEMORY.md");
  const lines = (await textAt(file))?.split(/\r?\n/) ?? [];
  let [left, isOurs, isNote] = [0, false, false];
  const kept: string[] = [];
  for (const [at, line] of lines.entries()) {
    if (GROUP.test(line)) {
      const end = lines.findIndex((other, index) => index > at && GROUP.test(other));
      isOurs = await areOurs(lines.slice(at, end < 0 ? undefined : end), folders);
      left += isOurs ? 0 : 1;
    }
    if (/^#/.test(line)) isNote = !NO_NOTES.test(line);
    kept.push(isOurs && isNote && !GROUPS_OWN.test(line) ? line : "");
  }
  return { texts: left < kept.length ? [{ file, text: kept.join("\n") }] : [], left };
}

/** Whether all folders of a group are the project's; a group that names none, or one that is gone, may be of another. */
async function areOurs(group: readonly string[], folders: Folders): Promise<boolean> {
  const said = group.flatMap((line) => APPLIES_TO.exec(line)?.[1] ?? [])[0] ?? "";
  const isOurs = async (folder: string) => (await folders.of(folder)).isOurs;
  if (await isOurs(said)) return true;
  const named = said.split(/ and |, /).map((folder) => folder.replace(/^cwd=/, "").trim());
  return (await Promise.all(named.map(isOurs))).every((one) => one);
}
