/** Memory of Gemini CLI: the project's `GEMINI.md`, and private notes in the folder that names the project's. */
import { join } from "node:path";
import type { Folders } from "../capture/belonging.ts";
import { ownerOf } from "../transcripts/gemini-sources.ts";
import { namesIn } from "../transcripts/names-in.ts";
import type { FoundTexts, NoteText } from "./note.ts";
import { rulesIn, textAt, textsOf } from "./texts-of.ts";

/** @param clientFolder `.gemini` in the home folder. @param folder the project's. */
export async function geminiNotes(clientFolder: string, folders: Folders, folder: string): Promise<FoundTexts> {
  const texts: NoteText[] = await rulesIn(folder, ["GEMINI.md"]);
  const ofAll = await textAt(join(clientFolder, "GEMINI.md"));
  let left = ofAll === undefined ? 0 : 1;
  const worktrees = await folders.worktrees();
  for (const name of await namesIn(join(clientFolder, "tmp"))) {
    const place = join(clientFolder, "tmp", name);
    const owner = await ownerOf(place, worktrees);
    const found = await textsOf(join(place, "memory"), {});
    const isOurs = owner !== undefined && (await folders.of(owner)).isOurs;
    if (isOurs) texts.push(...found);
    else left += found.length;
  }
  return { texts, left };
}
