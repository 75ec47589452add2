/** Finds a project's notes in one source. Changes nothing, and reads only that source. */
import { homedir } from "node:os";
import { join, posix } from "node:path";
import { composed } from "../../ground/core/text.ts";
import { git, mustReadGit } from "../../ground/project/git.ts";
import type { OwnWords } from "../../ground/redaction/own-words.ts";
import { Folders } from "../capture/belonging.ts";
import { homeOf } from "../consent/log-id.ts";
import type { Places } from "../consent/places.ts";
import { eventRedactor } from "../storing/redactor.ts";
import { claudeCodeNotes } from "./claude-code-notes.ts";
import { codexNotes, geminiNotes, vscodeNotes } from "./client-notes.ts";
import type { FoundNote, NoteSource, NoteText } from "./note.ts";
import { notesIn } from "./notes-in.ts";
import { rulesIn } from "./texts-of.ts";

const RULES =
  /(?:^|\/)(?:CLAUDE|AGENTS)\.md$|^\.cursorrules$|(?:^|\/)\.cursor\/rules\/.*\.mdc?$|^\.claude\/rules\/.*\.md$|^\.github\/(?:copilot-instructions|instructions\/.*\.instructions)\.md$/;
const DECISION = /(?:^|\/)(?:adrs?|decisions|decision-records?)\/[^/]*\d[^/]*\.md$/i;
const NOT_IN_FORCE =
  /^(?:#+\s*)?(?:\*\*)?status(?:\*\*)?:?(?:\*\*)?\s*\n*\s*(?:-\s*)?(?:\*\*)?(?:superseded|rejected|deprecated|proposed)/im;

interface Found {
  readonly notes: readonly FoundNote[];
  /** The files that were read. */
  readonly looked: readonly string[];
  /** The number of statements in rules files without a trigger. */
  readonly left: number;
}

/** @param folder the project's. @param words that are never stored. @throws SentinelError `git_refused`. */
export async function findNotes(
  source: Exclude<NoteSource, "extractor">,
  folder: string,
  { places, words }: { readonly places: Places; readonly words: OwnWords },
): Promise<Found> {
  await mustReadGit(folder);
  const folders = new Folders(homeOf(folder), []);
  const seen = ["--cached", "--others", "--exclude-standard"];
  const files = (await git(folder, "ls-files", "-z", ...seen)).text
    .split("\0")
    .filter((file) => file !== "");
  const find = {
    claude: () => claudeCodeNotes(places.claude, folders, folder),
    codex: () => codexNotes(places.codex, folders),
    gemini: () => geminiNotes(join(homedir(), ".gemini"), folders, folder),
    vscode: () => vscodeNotes(folders),
    rules: () => rulesNotes(folder, files),
  };
  const texts = await find[source]();
  const redactor = eventRedactor(words);
  const names = new Set(files.map((file) => composed(posix.basename(file))));
  const found = texts.map((text) => notesIn(text, { folder, names }, redactor));
  return {
    notes: found.flatMap(({ notes }) => notes),
    looked: texts.map(({ file }) => file),
    left: found.reduce((sum, { left }) => sum + left, 0),
  };
}

/** The project's rules for agents and its decision records. @param files of the project that git lists. */
async function rulesNotes(folder: string, files: readonly string[]): Promise<NoteText[]> {
  const ours = files.filter((file) => !file.includes("node_modules/"));
  const rules = ours.filter((file) => RULES.test(file));
  const decisions = ours.filter((file) => DECISION.test(file));
  return [
    ...(await rulesIn(folder, rules)),
    ...(await rulesIn(folder, decisions)).flatMap(inForce),
  ];
}

/** Keeps only the decision and its consequences. */
function inForce(decision: NoteText): NoteText[] {
  if (NOT_IN_FORCE.test(decision.text)) return [];
  let isDecided = false;
  const lines = decision.text.split("\n").map((line, at) => {
    if (/^#/.test(line))
      isDecided =
        /decision|decided|consequence/i.test(line) && !/driver|options/i.test(line) && at > 0;
    return isDecided || /^# /.test(line) ? line : "";
  });
  return [{ ...decision, text: lines.join("\n") }];
}
