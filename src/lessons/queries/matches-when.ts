/** Does a lesson's `when` say that it comes up in some work? */
import { isEmptyWhen, type When, whenOf } from "../format/when.ts";
import type { LessonLine } from "../merge/versions.ts";
import { matchesGlob } from "./glob.ts";

/** What is known of the work, as lessons are held against it. */
export interface Work {
  readonly paths: readonly string[];
  /** Words of the prompt that do not look like a path, but may be the name of a file, like `Dockerfile`. */
  readonly names: ReadonlySet<string>;
  /** The prompt, folded. */
  readonly text: string;
}

/** So much of a prompt is looked at; a path or a word of the task stands before that. */
const MOST_CHARACTERS = 10_000;
const UNSPACED = String.raw`\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}`;
const WITHOUT_SPACES = new RegExp(`[${UNSPACED}]`, "u");
const IN_A_WORD = new RegExp(String.raw`(?![${UNSPACED}])[\p{L}\p{M}\p{N}_]`, "u");
/** What a path in a prompt may stand between. */
const AROUND_PATHS = /[\s"'`()<>[\]{},;@，。、；：！？（）「」『』“”]+/u;
/** The end of a sentence, and the line and column that compilers name. */
const AFTER_PATHS = /(?::\d+){0,2}[.:!?]*$/;
/** A path that a Korean ending or a Chinese word follows at once. */
const PLAIN_PATHS = /[\w./\\*+~-]*[./\\][\w./\\*+~-]*/g;
/** A folder stands for what is in it. */
const LIKE_A_FOLDER = /(?:^|[/\\])[^/\\.]+[/\\]?$/;
const ABSOLUTE = /^(?:[/\\~]|[A-Za-z]:)/;
const WILD = /[*?]/;

/**
 * @param files that are touched, by their path in the project.
 * @param prompt what the user asks for, or the task that an agent searches for.
 */
export function workOn({ files = [], prompt = "" }: { files?: readonly string[]; prompt?: string }): Work {
  const start = prompt.slice(0, MOST_CHARACTERS);
  const parts = start.split(AROUND_PATHS).map((part) => part.replace(AFTER_PATHS, ""));
  const named = [...parts.filter((part) => /[./\\]/.test(part)), ...(start.match(PLAIN_PATHS) ?? [])];
  const within = named.filter((path) => LIKE_A_FOLDER.test(path)).map((path) => `${path.replace(/[/\\]$/, "")}/-`);
  return { paths: [...new Set([...files, ...named, ...within])], names: new Set(parts), text: folded(start) };
}

/** Those of some lessons whose `when` says so, in their order. */
export function comingUp(lines: readonly LessonLine[], work: Work): LessonLine[] {
  return lines.filter(({ version }) => version.when !== undefined && matchesWhen(whenOf(version), work));
}

/**
 * Whether a path of the work matches one of its globs, or the prompt holds one of its words.
 *
 * @internal
 */
export function matchesWhen(when: When, { paths, names, text }: Work): boolean {
  if (isEmptyWhen(when)) return false;
  const { paths: globs = [], words = [] } = when;
  return (
    globs.some((glob) => paths.some((path) => namesPath(glob, path)) || (!WILD.test(glob) && names.has(glob))) ||
    words.some((word) => holdsWord(text, folded(word)))
  );
}

/** A prompt may name a file by its place on the disk. */
function namesPath(glob: string, path: string): boolean {
  if (matchesGlob(glob, path)) return true;
  return ABSOLUTE.test(path) && matchesGlob(`**/${glob.replace(/^\.?\//, "")}`, path);
}

/** Whole words in scripts with spaces; anywhere in those without, or with endings, as Chinese and Korean are. */
function holdsWord(text: string, word: string): boolean {
  if (word === "") return false;
  if (WITHOUT_SPACES.test(word)) return text.includes(word);
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const [before, after] = [text.charAt(at - 1), text.charAt(at + word.length)];
    if (!IN_A_WORD.test(before) && !IN_A_WORD.test(after)) return true;
  }
  return false;
}

function folded(text: string): string {
  return text.normalize("NFKC").toUpperCase().toLowerCase().replace(/\s+/gu, " ");
}
