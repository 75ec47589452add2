/**
 * Names in lessons that left the working tree: files, scripts of package.json, and identifiers. Only what git had when the lesson was
 * written counts, so that an example is never taken for something that is gone. It asks git, which takes too long for an answer.
 */
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { orElse } from "../../ground/core/or-else.ts";
import { git, linesOf } from "../../ground/project/git.ts";
import type { Lesson } from "../format/lesson.ts";
import { revisionOf } from "../format/revision.ts";
import { whenOf } from "../format/when.ts";

const FILE =
  /(?<![\w@:/.~-])(?:[\w@-][\w.@-]*\/)+[\w@-][\w.@-]*\.\w{1,8}(?![\w/*-])|(?<=`)[\w@-][\w.@-]*\.[a-z]{1,6}(?=`)/g;
const SCRIPT = /\b(?:npm|pnpm|yarn|bun) run ([\w:.-]*\w)/g;
/** A name of several words, alone in code or called there. */
const IDENTIFIER = /(?<=`)(?:[A-Za-z]\w*(?:[a-z0-9][A-Z]|_)\w+)(?=(?:\(\))?`)/g;
const MANIFEST = "package.json";
/** What is ours holds the lesson itself. */
const EVERYWHERE_ELSE = [".", ":!.context"] as const;

/** The names of each lesson that are gone, by its id; none where git cannot say. @param folder the project's. */
export async function goneNames(
  lessons: readonly Lesson[],
  folder: string,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const named = lessons.map((lesson) => ({ lesson, ...namesIn(lesson) }));
  const there = await wordsThere([...new Set(named.flatMap(({ identifiers }) => identifiers))], folder);
  const scriptsNow = scriptsIn(await readFile(join(folder, MANIFEST), "utf8").catch(() => ""));
  const found = new Map<string, readonly string[]>();
  for (const { lesson, files, scripts, identifiers } of named) {
    const missing = {
      files: await those(files, (path) => isMissing(path, folder)),
      scripts: scripts.filter((name) => !scriptsNow.includes(name)),
      identifiers: identifiers.filter((name) => !there.has(name)),
    };
    if (Object.values(missing).flat().length === 0) continue;
    const gone = await thoseBefore(missing, revisionOf(lesson.meta), folder);
    if (gone.length > 0) found.set(lesson.id, gone);
  }
  return found;
}

/** As a person reads it; empty where none is. */
export const namesGone = (names: readonly string[]): string =>
  names.length === 0 ? "" : `names ${names.join(", ")}, which ${names.length === 1 ? "is" : "are"} gone`;

interface Names {
  readonly files: readonly string[];
  readonly scripts: readonly string[];
  readonly identifiers: readonly string[];
}

function namesIn(lesson: Lesson): Names {
  const { missing_context, ask_next_time = "" } = lesson;
  const said = [missing_context, lesson.lesson, ask_next_time, ...(whenOf(lesson).paths ?? [])].join("\n");
  const all = (pattern: RegExp) => [...new Set([...said.matchAll(pattern)].map(([whole, part]) => part ?? whole))];
  return { files: all(FILE), scripts: all(SCRIPT), identifiers: all(IDENTIFIER) };
}

/** Those of some names that git had at a time. */
async function thoseBefore({ files, scripts, identifiers }: Names, time: string, folder: string): Promise<string[]> {
  const [then] = linesOf((await git(folder, "rev-list", "-1", `--before=${time}`, "HEAD")).text);
  if (then === undefined) return [];
  const manifest = scripts.length > 0 ? (await git(folder, "show", `${then}:./${MANIFEST}`)).text : "";
  const has = async (...args: readonly string[]) => (await git(folder, ...args)).status === 0;
  return [
    ...(await those(files, (path) => has("cat-file", "-e", `${then}:./${path}`))),
    ...scripts.filter((name) => scriptsIn(manifest).includes(name)),
    ...(await those(identifiers, (name) => has("grep", "-qwF", "-e", name, then, "--", ...EVERYWHERE_ELSE))),
  ];
}

async function those(names: readonly string[], holds: (name: string) => Promise<boolean>): Promise<string[]> {
  const found = await Promise.all(names.map(async (name) => ((await holds(name)) ? [name] : [])));
  return found.flat();
}

/** A name alone may be that of a file in any folder. */
async function isMissing(path: string, folder: string): Promise<boolean> {
  if (existsSync(join(folder, path))) return false;
  const anywhere = ["--cached", "--others", "--exclude-standard", "--", `:(glob)**/${path}`];
  return path.includes("/") || (await git(folder, "ls-files", ...anywhere)).text === "";
}

const scriptsIn = (text: string): string[] =>
  Object.keys(orElse(() => (JSON.parse(text) as { scripts?: object }).scripts ?? {}, {}));

/** Those of some words that stand in a file of the project; all where git cannot look. */
async function wordsThere(words: readonly string[], folder: string): Promise<ReadonlySet<string>> {
  if (words.length === 0) return new Set();
  const each = words.flatMap((word) => ["-e", word]);
  const { status, text } = await git(folder, "grep", "-ohwF", "--untracked", ...each, "--", ...EVERYWHERE_ELSE);
  return new Set(status === 0 || status === 1 ? linesOf(text) : words);
}
