/** Does a lesson's `when` say that it comes up in some work? */
import { isEmptyWhen, type When } from "../format/when.ts";
import { matchesGlob } from "./glob.ts";

/** What is known of the work. */
export interface Work {
  /** Files that are touched, by their path in the project. */
  readonly files?: readonly string[];
  /** What the user asks for. */
  readonly prompt?: string;
}

const WITHOUT_SPACES = /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}]/u;
const IN_A_WORD = /[\p{L}\p{M}\p{N}_]/u;
/** What a path in a prompt may stand between. */
const AROUND_PATHS = /[\s"'`()<>[\]{},;]+/u;

/** Whether a file matches one of its paths, or the prompt names such a file or holds one of its words. */
export function matchesWhen(when: When, { files = [], prompt = "" }: Work): boolean {
  if (isEmptyWhen(when)) return false;
  const { paths = [], words = [] } = when;
  const named = paths.length === 0 ? [] : [...files, ...pathsIn(prompt)];
  if (named.some((file) => paths.some((glob) => matchesGlob(glob, file)))) return true;
  const text = folded(prompt);
  return words.some((word) => holdsWord(text, folded(word)));
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

function pathsIn(prompt: string): string[] {
  return prompt
    .split(AROUND_PATHS)
    .map((text) => text.replace(/[.:!?]+$/, ""))
    .filter((text) => /[./]/.test(text));
}

function folded(text: string): string {
  return text.normalize("NFKC").toUpperCase().toLowerCase();
}
