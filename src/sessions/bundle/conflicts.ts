/** Finds summaries that newer events or decisions contradict: by another figure, or by a choice that a decision rejected. Pure. (docs/design/sessions.md, "The bundle") */
import { isEveryday } from "../../ground/search/everyday.ts";
import { tokenize } from "../../ground/search/tokenizer.ts";

export interface Claim {
  readonly id: string;
  readonly ts: string;
  readonly text: string;
  /** The alternatives that a decision in force rejected. */
  readonly rejected?: readonly string[];
}

/** A contradiction. The summary contains `says`, and the newer event, which is right, contains `against`. */
export interface ConflictFlag {
  readonly summary: string;
  readonly says: string;
  readonly event: string;
  readonly against: string;
}

interface Statement extends Figure {
  readonly claim: Claim;
  readonly sentence: string;
  readonly terms: ReadonlySet<string>;
  readonly bound: string | undefined;
}

interface Rejection {
  readonly claim: Claim;
  /** Words of the decision without those of the rejected choice: "use pnpm instead of npm". */
  readonly decided: ReadonlySet<string>;
  readonly rejected: ReadonlySet<string>;
}

const SENTENCE = /(?<=[.!?;。！？])\s+|\n+/;
/** A figure that limits something contradicts only one that limits it on the same side. */
const BOUND =
  /\b(?:above|at least|at most|below|m(?:ax|in)(?:imum)?|over|under|up to|(?:fewer|less|more|\w+er) than)\b/i;
/** Matches words around figures that were measured once and set no rule. */
const CAME_OUT = /\b(?:average\w*|lasted|measured|spent|took|used|yesterday)\b/i;
/** Two sentences about the same subject share at least this many words, and this share of the longer one. */
const LEAST_SHARED = 2;
const SAME_SUBJECT = 0.7;
/** Smaller numbers without a unit are counts, which mean little elsewhere. */
const LEAST_VALUE = 10;
const MOST_STATEMENTS = 400;
/** A sentence with one of these may mention a rejected choice without choosing it. */
const MENTIONS =
  /\b(?:no|not|never|cannot|without|\w+n['’]t|over|instead|rather|than|from|before|or|was|were|considered|rejected|dropped|replac\w+)\b|않|대신|不|没|而非|代替/i;
/** An alternative's name ends where its reason begins. */
const REASON = /[:;(,–—].*$/s;

/** @param summaries in any order. @param others messages and decisions. @returns the first conflict of each summary. */
export function conflictsIn(summaries: readonly Claim[], others: readonly Claim[]): ConflictFlag[] {
  if (summaries.length === 0) {
    return [];
  }
  const newestFirst = [...others].sort((a, b) => (a.ts < b.ts ? 1 : -1));
  const said = newestFirst.flatMap(statementsIn).slice(0, MOST_STATEMENTS);
  const rejections = newestFirst.flatMap(rejectionsIn).slice(0, MOST_STATEMENTS);
  return summaries.flatMap(
    (summary) => figureConflict(summary, said) ?? choiceConflict(summary, rejections) ?? [],
  );
}

/** The sentences of a summary with figures, which other events may contradict. Empty without figures. */
export const figuresOf = (text: string): string =>
  statementsIn({ id: "", ts: "", text })
    .map(({ sentence }) => sentence)
    .join("\n");

/** @param said the newest first, so the newest statement about the same subject counts. */
function figureConflict(summary: Claim, said: readonly Statement[]): ConflictFlag | undefined {
  for (const believed of statementsIn(summary)) {
    const newest = said.find((statement) => isAboutTheSame(believed, statement));
    if (newest && newest.value !== believed.value) {
      return {
        summary: summary.id,
        says: believed.written,
        event: newest.claim.id,
        against: newest.written,
      };
    }
  }
  return undefined;
}

/** Finds a sentence that states a rejected alternative of a decision on the same subject. */
function choiceConflict(
  summary: Claim,
  rejections: readonly Rejection[],
): ConflictFlag | undefined {
  if (rejections.length === 0) {
    return undefined;
  }
  for (const sentence of sentencesIn(summary.text)) {
    if (MENTIONS.test(sentence)) {
      continue;
    }
    const terms = tellingTerms(sentence);
    const newest = rejections.find((rejection) => choosesRejected(terms, rejection));
    if (newest) {
      const { id, text } = newest.claim;
      return { summary: summary.id, says: sentence, event: id, against: text };
    }
  }
  return undefined;
}

const sentencesIn = (text: string): string[] => text.split(SENTENCE);

const tellingTerms = (text: string): ReadonlySet<string> =>
  new Set(tokenize(text).filter((term) => !isEveryday(term)));

/** The sentences with exactly one figure. With several, it's unclear which one is meant. */
function statementsIn(claim: Claim): Statement[] {
  const sentences = sentencesIn(claim.text).filter((sentence) => !CAME_OUT.test(sentence));
  return sentences.flatMap((sentence) => {
    const { figures, rest } = figuresIn(sentence);
    const [figure, ...others] = figures;
    if (!figure || others.length > 0) {
      return [];
    }
    if (figure.unit === "" && figure.value < LEAST_VALUE) {
      return [];
    }
    const bound = BOUND.exec(sentence)?.[0].toLowerCase();
    return [{ claim, sentence, terms: tellingTerms(rest), bound, ...figure }];
  });
}

function rejectionsIn(claim: Claim): Rejection[] {
  const decided = tellingTerms(claim.text);
  const rejected = (claim.rejected ?? []).map((text) => tellingTerms(text.replace(REASON, "")));
  return rejected
    .filter((terms) => terms.size > 0)
    .map((terms) => ({ claim, decided: without(decided, terms), rejected: terms }));
}

function isAboutTheSame(a: Statement, b: Statement): boolean {
  const least = Math.max(LEAST_SHARED, SAME_SUBJECT * Math.max(a.terms.size, b.terms.size));
  return a.unit === b.unit && a.bound === b.bound && sharedBy(a.terms, b.terms).length >= least;
}

/** Whether a sentence contains all words of the rejected choice, and is about the decision's subject but not its choice. */
function choosesRejected(terms: ReadonlySet<string>, { decided, rejected }: Rejection): boolean {
  if (![...rejected].every((term) => terms.has(term))) {
    return false;
  }
  const subject = sharedBy(decided, terms);
  const isAboutIt = rejected.size + subject.length >= SAME_SUBJECT * terms.size;
  return subject.length > 0 && subject.length < decided.size && isAboutIt;
}

const without = (terms: ReadonlySet<string>, others: ReadonlySet<string>): ReadonlySet<string> =>
  new Set([...terms].filter((term) => !others.has(term)));

const sharedBy = (a: ReadonlySet<string>, b: ReadonlySet<string>): string[] =>
  [...a].filter((term) => b.has(term));

const FIGURE =
  /(?<![\w.-])(\d{1,3}(?:,\d{3})+|\d+(?:\.\d+)?)\s?([km]|%|m?s|sec(?:ond)?s?|min(?:ute)?s?|h(?:ours?)?|days?|[kmg]b|k?g|px|tokens?|times|attempts?|초|분|시간|일|회|秒|分钟|小时|天|次)?(?![\w-]|\.\d)/gi;
const COUNTS: Readonly<Record<string, number>> = { k: 1_000, m: 1_000_000, token: 1, tokens: 1 };
/** The end of a plural, as in "days". */
const PLURAL = /(?<=..)s$/;

interface Figure {
  readonly written: string;
  /** As written, in the singular. Empty for a plain number or a count. */
  readonly unit: string;
  readonly value: number;
}

/** The figures of a text in order, and the text without them. */
export function figuresIn(text: string): { readonly figures: Figure[]; readonly rest: string } {
  const figures = [...text.matchAll(FIGURE)].map(([written, number = "", unit = ""]) =>
    figureOf(written.trim(), Number(number.replaceAll(",", "")), unit.toLowerCase()),
  );
  return { figures, rest: text.replace(FIGURE, " ") };
}

function figureOf(written: string, number: number, unit: string): Figure {
  const count = COUNTS[unit];
  if (count !== undefined) {
    return { written, unit: "", value: number * count };
  }
  return { written, unit: unit.replace(PLURAL, ""), value: number };
}
