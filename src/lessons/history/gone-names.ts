/** Finds files, scripts and identifiers that lessons mention and the working tree no longer has. Only names that git had at the time of the lesson count. Asking git is slow. */
import { join } from "node:path";
import { composed, inBothForms } from "../../ground/core/text.ts";
import { pathOnDisk } from "../../ground/files/paths.ts";
import { git, linesOf } from "../../ground/project/git.ts";
import { type Lesson, revisionOf } from "../format/lesson.ts";
import { whenOf } from "../format/when.ts";

const FILE =
  /(?<![\p{L}\p{M}\p{N}_@:/.~-])(?:[\p{L}\p{N}_@-][\p{L}\p{M}\p{N}_.@-]*\/)+[\p{L}\p{N}_@-][\p{L}\p{M}\p{N}_.@-]*\.\w{1,8}(?![\w/*-])/gu;
/** A file whose ASCII name directly follows a Chinese or Korean word, without a space. */
const FILE_IN_A_WORD =
  /(?<![\w@:/.~-])[\w@-][\p{L}\p{M}\p{N}_.@-]*\/(?:[\p{L}\p{N}_@-][\p{L}\p{M}\p{N}_.@-]*\/)*[\p{L}\p{N}_@-][\p{L}\p{M}\p{N}_.@-]*\.\w{1,8}(?![\w/*-])/gu;
const SCRIPT = /\b(?:npm|pnpm|yarn|bun) run ([\w:.-]*\w)/g;
/** An identifier of several words in backticks, with or without call parentheses. In a script without capitals, three letters are enough. */
const IDENTIFIER =
  /(?<=`)(?:\p{L}[\p{L}\p{M}\p{N}_]*(?:[\p{Ll}\p{N}]\p{Lu}|_)[\p{L}\p{M}\p{N}_]+|\p{Lo}{3,})(?=(?:\(\))?`)/gu;
/** Excludes our files, because they contain the lesson itself. */
const EVERYWHERE_ELSE = [".", ":!.context"] as const;

/** Returns the missing names of each lesson, by its id. Empty if git can't answer. @param folder the project's. */
export async function goneNames(
  lessons: readonly Lesson[],
  folder: string,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const named = lessons.map((lesson) => ({ lesson, ...namesIn(lesson) }));
  const texts = named.flatMap(({ words }) => words).map(({ text }) => text);
  const there = await wordsThere([...new Set(texts)], folder);
  const found = new Map<string, readonly string[]>();
  for (const { lesson, files, words } of named) {
    const missing = words.filter(({ text }) => !there.has(text));
    const away = files.filter((path) => pathOnDisk(join(folder, path)) === undefined);
    const gone = await goneSince(revisionOf(lesson.meta), away, missing, folder);
    if (gone.length > 0) {
      found.set(lesson.id, gone);
    }
  }
  return found;
}

/** Formats the missing names as text. Empty without names. */
export const namesGone = (names: readonly string[]): string =>
  names.length === 0
    ? ""
    : `names ${names.join(", ")}, which ${names.length === 1 ? "is" : "are"} gone`;

/** A name, and its text in a file. */
interface Word {
  readonly name: string;
  readonly text: string;
}

/** Finds the files and words that a lesson mentions. */
function namesIn(lesson: Lesson): {
  readonly files: readonly string[];
  readonly words: readonly Word[];
} {
  const { missing_context, ask_next_time = "" } = lesson;
  const { paths = [] } = whenOf(lesson);
  const text = composed([missing_context, lesson.lesson, ask_next_time, ...paths].join("\n"));
  const words = new Map<string, string>();
  for (const [, name = ""] of text.matchAll(SCRIPT)) {
    words.set(name, `"${name}":`);
  }
  for (const [name] of text.matchAll(IDENTIFIER)) {
    words.set(name, name);
  }
  const files = new Set<string>();
  for (const pattern of [FILE, FILE_IN_A_WORD]) {
    for (const [name] of text.matchAll(pattern)) {
      files.add(name);
    }
  }
  return {
    files: [...files],
    words: [...words].map(([name, inFile]) => ({ name, text: inFile })),
  };
}

/** Returns the missing names that git had at a time. */
async function goneSince(
  time: string,
  files: readonly string[],
  words: readonly Word[],
  folder: string,
): Promise<string[]> {
  if (files.length + words.length === 0) {
    return [];
  }
  const { text: commits } = await git(folder, "rev-list", "-1", `--before=${time}`, "HEAD");
  const [then] = linesOf(commits);
  if (then === undefined) {
    return [];
  }
  const gone: string[] = [];
  for (const path of files) {
    if (await isInCommit(path, then, folder)) {
      gone.push(path);
    }
  }
  for (const { name, text } of words) {
    const forms = inEitherForm(text);
    const { status } = await git(folder, "grep", "-qwF", ...forms, then, "--", ...EVERYWHERE_ELSE);
    if (status === 0) {
      gone.push(name);
    }
  }
  return gone;
}

async function isInCommit(path: string, commit: string, folder: string): Promise<boolean> {
  // A name in the commit may have another Unicode form than the lesson's.
  for (const form of inBothForms([path])) {
    const { status } = await git(folder, "cat-file", "-e", `${commit}:./${form}`);
    if (status === 0) {
      return true;
    }
  }
  return false;
}

const inEitherForm = (text: string): string[] =>
  inBothForms([text]).flatMap((form) => ["-e", form]);

/** Returns the words that appear in a file of the project. Returns all words if git can't search. */
async function wordsThere(words: readonly string[], folder: string): Promise<ReadonlySet<string>> {
  if (words.length === 0) {
    return new Set();
  }
  const forms = words.flatMap(inEitherForm);
  const search = ["grep", "-ohwF", "--untracked", ...forms, "--", ...EVERYWHERE_ELSE];
  const { status, text } = await git(folder, ...search);
  return new Set(status === 0 || status === 1 ? linesOf(text).map(composed) : words);
}
