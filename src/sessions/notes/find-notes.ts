/** Finds the notes of a project in one of the places where they are kept. Nothing is changed, and only what was asked for is read. */
import { homedir } from "node:os";
import { join, posix } from "node:path";
import { git, linesOf } from "../../ground/project/git.ts";
import type { OwnWords } from "../../ground/redaction/own-words.ts";
import { Folders } from "../capture/belonging.ts";
import { homeOf } from "../consent/log-id.ts";
import type { Places } from "../consent/places.ts";
import { eventRedactor } from "../storing/redactor.ts";
import { claudeCodeNotes, codexNotes, geminiNotes, vscodeNotes } from "./client-notes.ts";
import type { FoundNote, NoteSource, NoteText } from "./note.ts";
import { notesIn } from "./notes-in.ts";
import { rulesNotes } from "./rules-notes.ts";

/** @param folder the project's. @param words what is never stored. @throws SentinelError `not_recorded` where git cannot be run. */
export async function findNotes(
  source: Exclude<NoteSource, "extractor">,
  folder: string,
  { places, words }: { readonly places: Places; readonly words: OwnWords },
): Promise<{ readonly notes: readonly FoundNote[]; readonly left: number }> {
  const folders = new Folders(await homeOf(folder), []);
  const seen = ["--cached", "--others", "--exclude-standard"];
  const files = linesOf((await git(folder, "-c", "core.quotePath=false", "ls-files", ...seen)).text);
  const find: Readonly<Record<typeof source, () => Promise<NoteText[]>>> = {
    claude: () => claudeCodeNotes(places.claude, folders),
    codex: () => codexNotes(places.codex, folders),
    gemini: () => geminiNotes(join(homedir(), ".gemini"), folders, folder),
    vscode: () => vscodeNotes(folders),
    rules: () => rulesNotes(folder, files),
  };
  const texts = await find[source]();
  const ours = texts.filter(({ isLeft }) => !isLeft);
  const redactor = eventRedactor((text) => words.redact(text).text);
  const names = new Set(files.map((file) => posix.basename(file)));
  return {
    notes: ours.flatMap((text) => notesIn(text, { folder, names }, redactor)),
    left: texts.length - ours.length,
  };
}
