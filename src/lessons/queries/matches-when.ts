import { commandMatcher, commandTexts } from "../../ground/core/command-pattern.ts";
import { composed } from "../../ground/core/text.ts";
import { TRIGGERS, type When, whenOf } from "../format/when.ts";
import type { LessonLine } from "../merge/versions.ts";
import { matchesPattern, patternIn } from "./error-pattern.ts";
import { matchesGlob } from "./glob.ts";

/** Where and when work is done. */
export interface Moment {
  /** Unknown outside of git. */
  readonly branch?: string | undefined;
  /** YYYY-MM-DD, where the person is. */
  readonly today: string;
}

/** What is known of the work, as lessons are held against it. */
export interface Work extends Moment {
  readonly paths: readonly string[];
  /** Words of the prompt that do not look like a path, but may be the name of a file, like `Dockerfile`. */
  readonly names: ReadonlySet<string>;
  /** The prompt, folded. */
  readonly text: string;
  /** The simple commands of a shell line. */
  readonly commands: readonly string[];
  /** The end of what a failed call printed, folded. */
  readonly error?: string | undefined;
}

/** Facts about some work; all but the day may be unknown. */
export interface Known extends Moment, Partial<Pick<Work, "error">> {
  /** Files that are touched, by their path in the project. */
  readonly files?: readonly string[];
  /** The request of the user, or the task that an agent searches for. */
  readonly prompt?: string;
  readonly command?: string | undefined;
}

/** By which kind of trigger a lesson comes up. */
export type Trigger = "error" | "command" | "path" | "word";

/** So much of a prompt is looked at; a path or a word of the task stands before that. */
const MOST_CHARACTERS = 10_000;
const MOST_OF_A_COMMAND = 100_000;
/** The fault stands at the end. */
const MOST_OF_AN_ERROR = 16_384;
/** Colours of a terminal. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they begin with one.
const COLOURS = /\u001b\[[\d;]*m/g;
const UNSPACED = String.raw`\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}`;
const WITHOUT_SPACES = new RegExp(`[${UNSPACED}]`, "u");
const IN_A_WORD = new RegExp(String.raw`(?![${UNSPACED}])[\p{L}\p{M}\p{N}_]`, "u");
/** What a path in a prompt may stand between. */
const AROUND_PATHS = /[\s"'`()<>[\]{},;@，。、；：！？（）「」『』“”]+/u;
/** The end of a sentence, and the line and column that compilers name. */
const AFTER_PATHS = /(?::\d+){0,2}[.:!?]*$/;
/** A path that a Korean ending or a Chinese word follows at once. */
const PLAIN_PATHS = /[\w./\\*+~-]*[./\\][\w./\\*+~-]*/g;
/** The same in any script: the path ends at its last folder or at an ASCII extension. It starts once in each word, so its time is linear. */
const ENDED_PATHS =
  /(?<![\p{L}\p{M}\p{N}_./\\*+~-])[\p{L}\p{M}\p{N}_./\\*+~-]*(?:[/\\]|\.[A-Za-z]\w*)/gu;
/** A folder stands for what is in it. */
const LIKE_A_FOLDER = /(?:^|[/\\])[^/\\.]+[/\\]?$/;
const ABSOLUTE = /^(?:[/\\~]|[A-Za-z]:)/;
const WILD = /[*?]/;

/** Work as lessons are held against it. */
export function workOn({
  files = [],
  prompt = "",
  command = "",
  error,
  branch,
  today,
}: Known): Work {
  const start = composed(prompt.slice(0, MOST_CHARACTERS));
  const parts = start.split(AROUND_PATHS).map((part) => part.replace(AFTER_PATHS, ""));
  const inWords = [PLAIN_PATHS, ENDED_PATHS].flatMap((pattern) => start.match(pattern) ?? []);
  const named = [...parts.filter((part) => /[./\\]/.test(part)), ...inWords];
  const within = named
    .filter((path) => LIKE_A_FOLDER.test(path))
    .map((path) => `${path.replace(/[/\\]$/, "")}/-`);
  return {
    paths: [...new Set([...files.map(composed), ...named, ...within])],
    names: new Set(parts),
    text: folded(start),
    commands: command === "" ? [] : commandTexts(composed(command.slice(0, MOST_OF_A_COMMAND))),
    error:
      error === undefined
        ? undefined
        : folded(error.slice(-MOST_OF_AN_ERROR).replaceAll(COLOURS, "")),
    branch: branch && composed(branch),
    today,
  };
}

/** Those of some lessons whose `when` says so, in their order. */
export function comingUp(lines: readonly LessonLine[], work: Work): LessonLine[] {
  return lines.filter(
    ({ version }) => version.when !== undefined && triggerOf(whenOf(version), work),
  );
}

/** The most specific kind by which a lesson comes up; undefined when it does not. Branches, days and exceptions only restrict. */
export function triggerOf(when: When, work: Work): Trigger | undefined {
  const { all } = when;
  if (isKeptOut(when, work)) return undefined;
  const given = TRIGGERS.filter((kind) => when[kind]);
  const isMet = (kind: (typeof TRIGGERS)[number]) => MATCHES[kind](when[kind] ?? [], work);
  const met = all && !given.every(isMet) ? undefined : given.find(isMet);
  return met?.slice(0, -1) as Trigger | undefined;
}

/** Whether its branches, days or exceptions keep a lesson from coming up, whatever else matches. */
export function isKeptOut({ branches, not = {}, from, until }: When, work: Work): boolean {
  if (from !== undefined && work.today < from) return true;
  if (until !== undefined && until < work.today) return true;
  if (branches && !MATCHES.branches(branches, work)) return true;
  return Object.entries(not).some(([kind, texts]) =>
    MATCHES[kind as keyof typeof not](texts, work),
  );
}

const MATCHES = {
  paths: (globs: readonly string[], { paths, names }: Work) =>
    globs.some(
      (glob) =>
        paths.some((path) => namesPath(glob, path)) || (!WILD.test(glob) && names.has(glob)),
    ),
  words: (words: readonly string[], { text }: Work) =>
    words.some((word) => holdsWord(text, folded(word))),
  commands: (patterns: readonly string[], { commands }: Work) =>
    patterns.some((pattern) => commands.some(commandMatcher(pattern))),
  errors: (errors: readonly string[], { error }: Work) =>
    error !== undefined &&
    errors.some((text) => {
      const source = patternIn(text);
      return source === undefined ? error.includes(folded(text)) : matchesPattern(source, error);
    }),
  // A glob without a slash would be a name in any folder.
  branches: (globs: readonly string[], { branch }: Work) =>
    branch !== undefined && globs.some((glob) => matchesGlob(`-/${glob}`, `-/${branch}`)),
};

/** A prompt may name a file by its place on the disk. */
function namesPath(glob: string, path: string): boolean {
  if (matchesGlob(glob, path)) return true;
  return ABSOLUTE.test(path) && matchesGlob(`**/${glob.replace(/^\.?\//, "")}`, path);
}

/** Whole words in scripts with spaces; anywhere in those without, or with endings, as Chinese and Korean are. */
export function holdsWord(text: string, word: string): boolean {
  if (word === "") return false;
  if (WITHOUT_SPACES.test(word)) return text.includes(word);
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const [before, after] = [text.charAt(at - 1), text.charAt(at + word.length)];
    if (!IN_A_WORD.test(before) && !IN_A_WORD.test(after)) return true;
  }
  return false;
}

/** A text as others are compared with it: in one case and one form of Unicode, and with single blanks. */
export function folded(text: string): string {
  return text.normalize("NFKC").toUpperCase().toLowerCase().replace(/\s+/gu, " ");
}
