/** Compares the `when` of lessons with the current work. Pure. */
import { commandMatcher, commandTexts } from "../../ground/core/shell-commands.ts";
import { composed } from "../../ground/core/text.ts";
import {
  EXCEPTIONS,
  isOver,
  isTooEarly,
  type LISTS,
  TRIGGERS,
  type When,
  whenOf,
} from "../format/when.ts";
import type { LessonLine } from "../merge/versions.ts";
import { matchesPattern, patternIn } from "./error-pattern.ts";
import { matchesGlob } from "./glob.ts";

/** The branch and time of some work. */
export interface Moment {
  /** Unknown outside of git. */
  readonly branch?: string | undefined;
  /** YYYY-MM-DD HH:MM in local time. */
  readonly now: string;
}

/** The facts about some work, prepared for a comparison. */
export interface Work extends Moment {
  readonly paths: readonly string[];
  /** Words of the prompt that don't look like a path, but may be the name of a file, like `Dockerfile`. */
  readonly names: ReadonlySet<string>;
  /** The prompt, folded. */
  readonly text: string;
  /** The simple commands of a shell line. */
  readonly commands: readonly string[];
  /** The end of a failed call's output, folded. */
  readonly error?: string | undefined;
}

/** The facts about some work. Only the time is always known. */
export interface Known extends Moment, Partial<Pick<Work, "error">> {
  /** The files it touches, by their paths in the project. */
  readonly files?: readonly string[];
  /** The request of the user, or the task that an agent searches for. */
  readonly prompt?: string;
  readonly command?: string | undefined;
}

/** The kind of trigger by which a lesson comes up. */
export type Trigger = "error" | "command" | "path" | "word";
type TriggerList = (typeof TRIGGERS)[number];

const TRIGGER_OF: Readonly<Record<TriggerList, Trigger>> = {
  errors: "error",
  commands: "command",
  paths: "path",
  words: "word",
};
/** The paths and words of the task are at the start of a prompt. */
const MOST_CHARACTERS = 10_000;
const MOST_OF_A_COMMAND = 100_000;
/** The error is at the end of an output. */
const MOST_OF_AN_ERROR = 16_384;
/** Colours of a terminal. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they begin with one.
const COLOURS = /\u001b\[[\d;]*m/g;
const UNSPACED = String.raw`\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}`;
const WITHOUT_SPACES = new RegExp(`[${UNSPACED}]`, "u");
const IN_A_WORD = new RegExp(String.raw`(?![${UNSPACED}])[\p{L}\p{M}\p{N}_]`, "u");
/** The signs around a path in a prompt. */
const AROUND_PATHS = /[\s"'`()<>[\]{},;@，。、；：！？（）「」『』“”]+/u;
/** The end of a sentence, or the line and column in compiler output. */
const AFTER_PATHS = /(?::\d+){0,2}[.:!?]*$/;
/** A path directly before a Korean ending or a Chinese word, without a space. */
const PLAIN_PATHS = /[\w./\\*+~-]*[./\\][\w./\\*+~-]*/g;
/** The same for any script. The path ends at its last folder or at an ASCII extension. It can start only once per word, so matching takes linear time. */
const ENDED_PATHS =
  /(?<![\p{L}\p{M}\p{N}_./\\*+~-])[\p{L}\p{M}\p{N}_./\\*+~-]*(?:[/\\]|\.[A-Za-z]\w*)/gu;
/** A path that looks like a folder. It means all files in the folder. */
const LIKE_A_FOLDER = /(?:^|[/\\])[^/\\.]+[/\\]?$/;
const ABSOLUTE = /^(?:[/\\~]|[A-Za-z]:)/;
const WILD = /[*?]/;

/** Prepares the facts about some work. */
export function workOn(known: Known): Work {
  const { files = [], prompt = "", command = "", error, branch, now } = known;
  const start = composed(prompt.slice(0, MOST_CHARACTERS));
  const parts = start.split(AROUND_PATHS).map((part) => part.replace(AFTER_PATHS, ""));
  const named = [
    ...parts.filter((part) => /[./\\]/.test(part)),
    ...allMatches(start, PLAIN_PATHS),
    ...allMatches(start, ENDED_PATHS),
  ];
  const inFolders = named.filter((path) => LIKE_A_FOLDER.test(path)).map(anyFileIn);
  return {
    paths: [...new Set([...files.map(composed), ...named, ...inFolders])],
    names: new Set(parts),
    text: folded(start),
    commands: command === "" ? [] : commandTexts(composed(command.slice(0, MOST_OF_A_COMMAND))),
    error: error === undefined ? undefined : endOfError(error),
    branch: branch && composed(branch),
    now,
  };
}

const allMatches = (text: string, pattern: RegExp): readonly string[] => text.match(pattern) ?? [];

const anyFileIn = (folder: string): string => `${folder.replace(/[/\\]$/, "")}/-`;

const endOfError = (error: string): string =>
  folded(error.slice(-MOST_OF_AN_ERROR).replaceAll(COLOURS, ""));

/** Returns the lessons whose `when` matches some work, in their order. */
export function comingUp(lines: readonly LessonLine[], work: Work): LessonLine[] {
  return lines.filter(
    ({ version }) => version.when !== undefined && triggerOf(whenOf(version), work),
  );
}

/** Returns the most specific kind by which a lesson comes up. Undefined if it doesn't come up. Branches, times and exceptions only restrict. */
export function triggerOf(when: When, work: Work): Trigger | undefined {
  if (isKeptOut(when, work)) {
    return undefined;
  }
  const given = TRIGGERS.filter((kind) => when[kind]);
  const isMet = (kind: TriggerList) => {
    const values = when[kind] ?? [];
    const matches = (value: string) => MATCHES[kind](value, work);
    return when.all ? values.every(matches) : values.some(matches);
  };
  if (when.all && !given.every(isMet)) {
    return undefined;
  }
  const met = given.find(isMet);
  return met && TRIGGER_OF[met];
}

/** Returns the lessons whose branches and times allow them to come up now. */
export function inForce(lines: readonly LessonLine[], moment: Moment): LessonLine[] {
  const work = workOn(moment);
  return lines.filter(({ version }) => !isKeptOut(whenOf(version), work));
}

/** Whether its branches, times or exceptions keep a lesson from coming up, whatever else matches. */
export function isKeptOut(when: When, work: Work): boolean {
  if (isTooEarly(when, work.now) || isOver(when, work.now)) {
    return true;
  }
  const { branches, not = {} } = when;
  if (branches && !branches.some((glob) => MATCHES.branches(glob, work))) {
    return true;
  }
  return EXCEPTIONS.some((kind) => not[kind]?.some((value) => MATCHES[kind](value, work)));
}

/** Whether a value of a list matches some work. */
const MATCHES: Readonly<Record<(typeof LISTS)[number], (value: string, work: Work) => boolean>> = {
  paths: (glob, { paths, names }) =>
    paths.some((path) => namesPath(glob, path)) || (!WILD.test(glob) && names.has(glob)),
  words: (word, { text }) => holdsWord(text, folded(word)),
  commands: (pattern, { commands }) => commands.some(commandMatcher(pattern)),
  errors: (text, { error }) => error !== undefined && matchesError(text, error),
  // Without a slash, a glob would match a name in any folder.
  branches: (glob, { branch }) => branch !== undefined && matchesGlob(`-/${glob}`, `-/${branch}`),
};

function matchesError(text: string, error: string): boolean {
  const source = patternIn(text);
  return source === undefined ? error.includes(folded(text)) : matchesPattern(source, error);
}

/** Whether a glob matches a path. A prompt may name a file by its absolute path. */
function namesPath(glob: string, path: string): boolean {
  if (matchesGlob(glob, path)) {
    return true;
  }
  return ABSOLUTE.test(path) && matchesGlob(`**/${glob.replace(/^\.?\//, "")}`, path);
}

/** Finds whole words in scripts with spaces. In Chinese, Korean and the like, finds them anywhere. */
export function holdsWord(text: string, word: string): boolean {
  if (word === "") {
    return false;
  }
  if (WITHOUT_SPACES.test(word)) {
    return text.includes(word);
  }
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const before = text.charAt(at - 1);
    const after = text.charAt(at + word.length);
    if (!IN_A_WORD.test(before) && !IN_A_WORD.test(after)) {
      return true;
    }
  }
  return false;
}

/** Normalizes the case, Unicode form and spaces of a text for comparison. */
export function folded(text: string): string {
  return text.normalize("NFKC").toUpperCase().toLowerCase().replace(/\s+/gu, " ");
}
