/** Folds repeats into one with a count: same text, most words, or figure of one thing. Pure. (docs/design/sessions.md, "The bundle") */
import { remembering } from "../../ground/core/remembering.ts";
import { isEveryday } from "../../ground/search/everyday.ts";
import { tokenize } from "../../ground/search/tokenizer.ts";

type Statement = ReturnType<typeof statementIn>;

/** From this share of the shorter one's words on, two say the same; from the second one on, where they have a figure in common. @internal */
export const SAME = { words: 0.75, wordsWithFigure: 0.5 };
/** Longer texts say more than one thing. */
const SHORT_TERMS = 40;
const LEAST_TERMS = 3;
/** Characters of a text that are compared. */
const BEGINNING = 600;
const BEGINNINGS_KEPT = 2_000;
/** A number that means something: with a unit, or of two digits and more. */
const FIGURE = /\d[\d.,]*(?:\s?%|[a-z]{1,3}\b)|\d[\d.,]+/gi;
/** When something was said is not what was said. */
const TIMES =
  /\b\d{4}-\d\d-\d\d(?:[T ][\d:.]+Z?)?\b|\b\d{1,2}:\d\d(?::\d\d)?(?:\s?[ap]m\b)?|\b\d{1,2}\.? (?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?,? \d{4}\b/gi;

/** @param items best first. @param sortOf what can be said again: only items of one sort are compared. @returns the same order; `again` has those that say the same, and are left out for it. */
export function foldRepeats<T>(items: readonly T[], textOf: (item: T) => string, sortOf: (item: T) => string) {
  const told: { readonly item: T; readonly again: T[]; readonly sort: string; readonly statement: Statement }[] = [];
  for (const item of items) {
    const sort = sortOf(item);
    const statement = statementIn(textOf(item));
    const first = told.find((other) => other.sort === sort && saysTheSame(other.statement, statement));
    if (first) first.again.push(item);
    else told.push({ item, again: [], sort, statement });
  }
  return told;
}

function statementIn(said: string) {
  const text = said.replaceAll(TIMES, " ").trim();
  return { text, terms: termsOf(text.slice(0, BEGINNING)), figures: figuresIn(text) };
}

function figuresIn(text: string): ReadonlySet<string> {
  const found = text.match(FIGURE) ?? [];
  return new Set(found.map((figure) => figure.toLowerCase().replaceAll(/[\s,]|\.$/g, "")));
}

/** Each, once. One bundle after another compares the same texts. */
const termsOf = remembering(
  (text): ReadonlySet<string> => new Set(tokenize(text).filter((term) => !isEveryday(term))),
  BEGINNINGS_KEPT,
);

function saysTheSame(a: Statement, b: Statement): boolean {
  if (a.text === b.text) return true;
  const [smaller, larger] = a.terms.size < b.terms.size ? [a.terms, b.terms] : [b.terms, a.terms];
  // A short text inside a long one does not say all of it.
  const isAsLong = larger.size <= 2 * smaller.size;
  const hasFigure = larger.size <= SHORT_TERMS && b.figures.size > 0;
  if (
    smaller.size < LEAST_TERMS ||
    !(isAsLong || hasFigure) ||
    ![...b.figures].every((figure) => a.figures.has(figure))
  )
    return false;
  const shared = [...smaller].filter((term) => larger.has(term)).length;
  const share = shared / smaller.size;
  return (isAsLong && share >= SAME.words) || (hasFigure && share >= SAME.wordsWithFigure && shared >= 2);
}
