/** Folds repeats into one with a count: same text, same words, or figure of one thing. Pure. (docs/design/sessions.md, "The bundle") */
import { memoize } from "../../ground/core/memoize.ts";
import { isEveryday } from "../../ground/search/everyday.ts";
import { tokenize } from "../../ground/search/tokenizer.ts";

type Statement = ReturnType<typeof statementIn>;

/** From this share of its terms on a statement says what another one says, where they have a figure in common. @internal */
export const SAME = { termsWithFigure: 0.5 };
const LEAST_WORDS = 2;
/** In a longer one the same words may say something else. */
const MOST_LONGER = 1.4;
/** Longer statements say more than the figure. */
const SHORT_TERMS = 8;
const LEAST_SHARED = 2;
/** Characters of a text that are compared; a longer one repeats nothing but the same text. */
const BEGINNING = 600;
const BEGINNINGS_KEPT = 2_000;
/** A number that means something: with a unit, or of two digits and more. */
const FIGURE = /\d[\d.,]*(?:\s?%|[a-z]{1,3}\b)|\d[\d.,]+/gi;
const UNIT = /[a-z%]$/;
const NEGATION =
  /\b(?:no(?! more\W*$|.*\d)|not|never|cannot|off|only|without|lack(?:s|ed|ing)?|until|\w+n['’]t)\b/i;
/** Words that give the words around them an order: "from 5 to 10" is not "from 10 to 5". A figure behind "over" is a limit. */
const DIRECTED = /\b(?:from|before|after|than|instead|over(?!.*\d)|into|to(?! \d))\b|->|→/i;
/** Words that say nothing of it. */
const FILLERS =
  /\b(?:again|agreed|also|always|decided|go(?:es)? out|happens?|just|let's|note|now|ok|okay|please|remember|so|then|yes)\b/gi;
/** When something was said is not what was said. */
const TIMES =
  /\b\d{4}-\d\d-\d\d(?:[T ][\d:.]+Z?)?\b|\b\d{1,2}:\d\d(?::\d\d)?(?:\s?[ap]m\b)?|\b\d{1,2}\.? (?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?,? \d{4}\b/gi;

/** @param items best first. @param sortOf what can be said again: only items of one sort are compared. @returns the same order; `again` has those that say the same, and are left out for it. */
export function foldRepeats<T>(
  items: readonly T[],
  textOf: (item: T) => string,
  sortOf: (item: T) => string,
) {
  const told: {
    readonly item: T;
    readonly again: T[];
    readonly sort: string;
    readonly statement: Statement;
  }[] = [];
  for (const item of items) {
    const sort = sortOf(item);
    const statement = statementIn(textOf(item));
    const first = told.find(
      (other) => other.sort === sort && saysTheSame(other.statement, statement),
    );
    if (first) first.again.push(item);
    else told.push({ item, again: [], sort, statement });
  }
  return told;
}

function statementIn(said: string) {
  const text = said.replaceAll(TIMES, " ").trim();
  const words = wordsIn(text.slice(0, BEGINNING).replaceAll(FILLERS, " "));
  const terms = new Set([...words].filter((word) => !isEveryday(word)));
  return {
    text,
    words,
    terms,
    figures: figuresIn(text),
    isNegated: NEGATION.test(text),
    isAsked: /[?？]$/.test(text),
  };
}

function figuresIn(text: string): ReadonlySet<string> {
  const found = text.match(FIGURE) ?? [];
  return new Set(found.map((figure) => figure.toLowerCase().replaceAll(/[\s,]|\.$/g, "")));
}

/** Each, once. One bundle after another compares the same texts. */
const wordsIn = memoize((text): ReadonlySet<string> => new Set(tokenize(text)), BEGINNINGS_KEPT);

/** Whether a statement says nothing that another one, which is shown, does not say: `npm run bench:folds` draws pairs to judge that. */
function saysTheSame(shown: Statement, other: Statement): boolean {
  if (shown.text === other.text) return true;
  if (other.text.length > BEGINNING) return false;
  if (other.isAsked !== shown.isAsked || other.isNegated !== shown.isNegated) return false;
  // In another order the same figures may say the opposite, and the same words, but for two of them.
  if (!holdsInOrder(shown.figures, other.figures)) return false;
  const isDirected = DIRECTED.test(other.text);
  const isAsLong =
    other.words.size >= LEAST_WORDS && shown.words.size <= MOST_LONGER * other.words.size;
  const held = heldBy(shown.words, other.words);
  if (
    isAsLong &&
    (holdsInOrder(shown.words, other.words) ||
      (held === 2 && other.words.size === 2 && !isDirected))
  )
    return true;
  // "We agreed on a budget of 65K tokens": the figure of a thing in other words.
  const shared = heldBy(shown.terms, other.terms);
  return (
    [...other.figures].some((figure) => UNIT.test(figure)) &&
    !isDirected &&
    Math.max(shown.terms.size, other.terms.size) <= SHORT_TERMS &&
    shared >= LEAST_SHARED + other.figures.size &&
    shared >= SAME.termsWithFigure * other.terms.size
  );
}

const holdsInOrder = (holder: ReadonlySet<string>, all: ReadonlySet<string>): boolean =>
  [...holder].filter((one) => all.has(one)).join() === [...all].join();

const heldBy = (holder: ReadonlySet<string>, all: ReadonlySet<string>): number =>
  [...all].filter((one) => holder.has(one)).length;
