/** Folds statements that say the same into one with a count. Pure. (docs/design/sessions.md, "The bundle") */
import { memoize } from "../../../ground/core/memoize.ts";
import { isEveryday } from "../../../ground/search/everyday.ts";
import { tokenize } from "../../../ground/search/tokenizer.ts";
import { figuresIn } from "./figures.ts";

/** Two statements with this share of their words in common say the same (Jaccard). @internal */
export const SAME = { share: 0.5 };
/** Longer texts fold only if they are equal. */
const MOST_CHARACTERS = 600;
const STATEMENTS_KEPT = 2_000;
/** "No more" after a figure is a limit and doesn't negate. */
const NEGATION =
  /\b(?:no(?! more\W*$|.*\d)|not|never|cannot|off|only|without|lack(?:s|ed|ing)?|until|\w+n['’]t)\b|않|없|못|금지|ない|不|没|未|禁/i;
/** Words that give the words around them an order, with the word behind. "Over" before a figure is a limit, and "need to" has no direction. */
const DIRECTION =
  /(?:\b(?:from|before|after|than|instead of|over(?!.*\d)|into|(?<!\b(?:able|ha[sd]|have|going|like|needs?|try(?:ing)?|wants?) )to(?! \d))\b|->|→)\s*(?:the |an? )?\S*/gi;
/** Code, file names, identifiers and hashes: "update a.ts" isn't "update b.ts". */
const NAME =
  /`[^`]+`|\b\w+(?:[._]\w+)+\b|\b[a-z]+[A-Z]\w*|\b(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{7,}\b/g;
/** Phrases that only introduce a statement. */
const INTRODUCTIONS =
  /\b(?:again|agreed|also|always|decided|go(?:es)? out|happens?|just|keep in mind|let's|note|now|ok|okay|please|remember|so|then|yes)\b/gi;
const TIMES =
  /\b\d{4}-\d\d-\d\d(?:[T ][\d:.]+Z?)?\b|\b\d{1,2}:\d\d(?::\d\d)?(?:\s?[ap]m\b)?|\b\d{1,2}\.? (?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?,? \d{4}\b/gi;

interface Statement {
  readonly text: string;
  readonly words: ReadonlySet<string>;
  /** The words without everyday ones. */
  readonly telling: ReadonlySet<string>;
  readonly figures: string;
  /** Statements with different signs say different things, whatever their words. */
  readonly signs: string;
}

export interface Told<T> {
  readonly item: T;
  /** The items that say the same and are left out. */
  readonly again: readonly T[];
}

/**
 * @param items best first. @param sortOf only items of one sort are compared. @returns in the same order, each statement once with its
 * repeats.
 */
export function foldRepeats<T>(
  items: readonly T[],
  textOf: (item: T) => string,
  sortOf: (item: T) => string,
): Told<T>[] {
  const told: { item: T; again: T[]; sort: string; statement: Statement }[] = [];
  for (const item of items) {
    const sort = sortOf(item);
    const statement = statementIn(textOf(item));
    const same = told.find(
      (other) => other.sort === sort && saysTheSame(other.statement, statement),
    );
    if (same) same.again.push(item);
    else told.push({ item, again: [], sort, statement });
  }
  return told;
}

function saysTheSame(a: Statement, b: Statement): boolean {
  if (a.text === b.text) return true;
  if (Math.max(a.text.length, b.text.length) > MOST_CHARACTERS) return false;
  if (a.figures !== b.figures || a.signs !== b.signs) return false;
  if (!areAlike(a.telling, b.telling)) return false;
  // The same figures are strong evidence, so then everyday words may differ.
  return a.figures !== "" || areAlike(a.words, b.words);
}

function areAlike(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  const shared = [...a].filter((word) => b.has(word)).length;
  return shared > 0 && shared >= SAME.share * (a.size + b.size - shared);
}

/** Cached, because successive bundles compare the same texts. */
const statementIn = memoize((said): Statement => {
  const text = said.replaceAll(TIMES, " ").trim();
  if (text.length > MOST_CHARACTERS)
    return { text, words: new Set(), telling: new Set(), figures: "", signs: "" };
  const { figures, rest } = figuresIn(text);
  const words = tokenize(rest.replaceAll(INTRODUCTIONS, " "));
  return {
    text,
    words: new Set(words),
    telling: new Set(words.filter((word) => !isEveryday(word))),
    figures: figures.map(({ value, unit }) => `${value} ${unit}`).join(", "),
    signs: signsIn(text),
  };
}, STATEMENTS_KEPT);

/** Negation, question, direction ("from redis" isn't "from memcached") and names. */
function signsIn(text: string): string {
  const directions = text.toLowerCase().match(DIRECTION) ?? [];
  const names = (text.match(NAME) ?? []).map((name) => name.replaceAll("`", ""));
  return JSON.stringify([
    NEGATION.test(text),
    /[?？]$/.test(text),
    directions,
    [...new Set(names)].sort(),
  ]);
}
