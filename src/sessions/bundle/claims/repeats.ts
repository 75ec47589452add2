/** Folds statements that say the same into one with a count. Pure. (docs/design/sessions.md, "The bundle") */
import { isEveryday } from "../../../ground/search/everyday.ts";
import { tokenize } from "../../../ground/search/tokenizer.ts";
import type { FoundChunk } from "../../store.ts";
import { figuresIn } from "./figures.ts";

/** Two statements with this share of their words in common say the same (Jaccard). */
const SHARE = 0.5;
/** Longer texts fold only if they are equal. */
const MOST_CHARACTERS = 600;
/** Events of other kinds, such as decisions, never fold. */
const FOLDED: readonly string[] = ["message", "tool_call", "tool_result"];
/** "No more" after a figure is a limit and doesn't negate. */
const NEGATION =
  /\b(?:no(?! more\W*$|.*\d)|not|never|cannot|off|only|without|lack(?:s|ed|ing)?|until|\w+n['’]t)\b|않|없|못|금지|ない|不|没|未|禁/i;
const QUESTION = /[?？]\s*$/;
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

export interface Told {
  readonly hit: FoundChunk;
  /** The hits that say the same and are left out. */
  readonly again: readonly FoundChunk[];
}

interface Statement {
  readonly words: ReadonlySet<string>;
  /** Statements with different signs say different things, whatever their words. */
  readonly signs: string;
}

/** @param hits best first. @returns in the same order, each statement once with its repeats. */
export function foldRepeats(hits: readonly FoundChunk[]): Told[] {
  const told: { hit: FoundChunk; again: FoundChunk[]; statement: Statement }[] = [];
  for (const hit of hits) {
    const statement = statementIn(hit);
    const same = told.find((other) => saysTheSame(other.statement, statement));
    if (same) same.again.push(hit);
    else told.push({ hit, again: [], statement });
  }
  return told;
}

/** The same figures are strong evidence, so everyday words around them may differ. */
function statementIn({ id, text: written, event: { kind, content } }: FoundChunk): Statement {
  const text = written.replaceAll(TIMES, " ");
  const { figures, rest } = figuresIn(text);
  const all = tokenize(rest.replaceAll(INTRODUCTIONS, " "));
  const words = figures.length === 0 ? all : all.filter((word) => !isEveryday(word));
  const signs = [
    FOLDED.includes(kind) ? kind : id,
    content.tool,
    content.path,
    content.outcome,
    figures.map(({ value, unit }) => `${value} ${unit}`),
    NEGATION.test(text),
    QUESTION.test(text),
    text.toLowerCase().match(DIRECTION),
    written.length > MOST_CHARACTERS ? written : namesIn(text),
  ];
  return { words: new Set(words), signs: JSON.stringify(signs) };
}

/** Each once, in any order. */
function namesIn(text: string): string[] {
  const names = (text.match(NAME) ?? []).map((name) => name.replaceAll("`", ""));
  return [...new Set(names)].sort();
}

/** Compares the sizes first, because sharing words takes longer. */
function saysTheSame(a: Statement, b: Statement): boolean {
  if (a.signs !== b.signs) return false;
  const [sizeA, sizeB] = [a.words.size, b.words.size];
  if (Math.min(sizeA, sizeB) < SHARE * Math.max(sizeA, sizeB)) return false;
  const shared = [...a.words].filter((word) => b.words.has(word)).length;
  return shared >= SHARE * (sizeA + sizeB - shared);
}
