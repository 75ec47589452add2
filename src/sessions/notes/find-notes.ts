/** Finds the notes of a project in one of the places where they are kept. Nothing is changed, and only what was asked for is read. */
import { homedir } from "node:os";
import { join, posix } from "node:path";
import { git, linesOf } from "../../ground/project/git.ts";
import type { OwnWords } from "../../ground/redaction/own-words.ts";
import { Folders } from "../capture/belonging.ts";
import { homeOf } from "../consent/log-id.ts";
import { type Environment, readPlaces } from "../consent/places.ts";
import { eventRedactor } from "../storing/redactor.ts";
import { claudeCodeNotes } from "./claude-code-notes.ts";
import { codexNotes } from "./codex-notes.ts";
import { geminiNotes } from "./gemini-notes.ts";
import type { FoundNote, FoundTexts, NoteSource } from "./note.ts";
import { notesIn } from "./notes-in.ts";
import { rulesNotes } from "./rules-notes.ts";
import { vscodeNotes } from "./vscode-notes.ts";

/** @param folder the project's. @param words what is never stored. @throws SentinelError `not_recorded` where git cannot be run. */
export async function findNotes(
  source: NoteSource,
  folder: string,
  { env, words }: { readonly env: Environment; readonly words: OwnWords },
): Promise<{ readonly notes: readonly FoundNote[]; readonly left: number }> {
  const { texts, left } = await textsOfSource(source, folder, env);
  const redactor = eventRedactor((text) => words.redact(text).text);
  const names = new Set((await filesOf(folder)).map((file) => posix.basename(file)));
  return { notes: texts.flatMap((text) => notesIn(text, { folder, names }, redactor)), left };
}

async function textsOfSource(source: NoteSource, folder: string, env: Environment): Promise<FoundTexts> {
  if (source === "rules") return rulesNotes(folder, await filesOf(folder));
  const folders = new Folders(await homeOf(folder), []);
  const { claude, codex } = readPlaces(env);
  switch (source) {
    case "claude":
      return claudeCodeNotes(claude, folders);
    case "codex":
      return codexNotes(codex, folders);
    case "gemini":
      return geminiNotes(join(homedir(), ".gemini"), folders, folder);
    case "vscode":
      return vscodeNotes(folders);
  }
}

/** The files that git sees, from the project's folder; none without a repository. */
async function filesOf(folder: string): Promise<string[]> {
  const which = ["--cached", "--others", "--exclude-standard"];
  return linesOf((await git(folder, "-c", "core.quotePath=false", "ls-files", ...which)).text);
}
