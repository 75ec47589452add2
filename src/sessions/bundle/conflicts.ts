/**
 * Summaries that newer events contradict: one that gives another figure for the same thing. A summary is what an agent believed, so the event
 * counts. Pure. (docs/design/sessions.md, "The bundle")
 */
import { isEveryday } from "../../ground/search/everyday.ts";
import { tokenize } from "../../ground/search/tokenizer.ts";
import type { Conflict } from "./bundle.ts";

export interface Claim {
  readonly id: string;
  readonly ts: string;
  readonly text: string;
}

interface Figure {
  readonly value: number;
  readonly unit: string;
  /** As it stands there. */
  readonly written: string;
}

interface Statement {
  readonly claim: Claim;
  readonly terms: ReadonlySet<string>;
  readonly figures: readonly Figure[];
}

const SENTENCE = /(?<=[.!?;。！？])\s+|\n+/;
const FIGURE =
  /(?<![\w.-])(\d{1,3}(?:,\d{3})+|\d+(?:\.\d+)?)\s?(k|m|%|ms|s|kb|mb|gb|days?|hours?|minutes?|tokens?)?(?![\w-]|\.\d)/gi;
const FACTORS: Readonly<Record<string, number>> = { k: 1_000, m: 1_000_000 };
/** Words of a sentence that have to be the same, beside the figure. */
const LEAST_SHARED = 2;
const SAME_SUBJECT = 0.5;
/** A small number without a unit counts something, and means little elsewhere. */
const LEAST_VALUE = 10;
const MOST_STATEMENTS = 400;

/** @param summaries and what else was found; of each summary the first conflict, with the newest event that contradicts it. */
export function conflictsIn(summaries: readonly Claim[], others: readonly Claim[]): Conflict[] {
  if (summaries.length === 0) return [];
  const newestFirst = [...others].sort((a, b) => (a.ts < b.ts ? 1 : -1));
  const said = newestFirst.flatMap(statementsIn).slice(0, MOST_STATEMENTS);
  return summaries.flatMap((summary) => {
    for (const believed of statementsIn(summary)) {
      const about = said.filter((statement) => isAboutTheSame(believed, statement));
      const against = about.find((statement) => differs(believed, statement));
      const first = about[0];
      if (against === undefined || first !== against) continue;
      const says = believed.figures.map(({ written }) => written).join(", ");
      const counts = against.figures.map(({ written }) => written).join(", ");
      return [{ summary: summary.id, says, event: against.claim.id, against: counts }];
    }
    return [];
  });
}

function statementsIn(claim: Claim): Statement[] {
  return (
    claim.text
      .split(SENTENCE)
      .map((sentence) => ({
        claim,
        figures: figuresIn(sentence),
        terms: new Set(tokenize(sentence.replace(FIGURE, " ")).filter((term) => !isEveryday(term))),
      }))
      // Of several figures in a sentence nobody knows which is meant.
      .filter(({ figures }) => figures.length === 1 && isTelling(figures[0] as Figure))
  );
}

const isTelling = ({ value, unit }: Figure): boolean => unit !== "" || value >= LEAST_VALUE;

function figuresIn(sentence: string): Figure[] {
  return [...sentence.matchAll(FIGURE)].map(([written, number = "", unit = ""]) => {
    const lower = unit.toLowerCase();
    const factor = FACTORS[lower];
    return {
      written: written.trim(),
      value: Number(number.replaceAll(",", "")) * (factor ?? 1),
      unit: factor === undefined ? lower.replace(/s$/, "") : "",
    };
  });
}

function isAboutTheSame(a: Statement, b: Statement): boolean {
  let shared = 0;
  for (const term of a.terms) if (b.terms.has(term)) shared++;
  const smaller = Math.min(a.terms.size, b.terms.size);
  return shared >= LEAST_SHARED && shared / smaller >= SAME_SUBJECT && sameUnits(a, b);
}

function sameUnits(a: Statement, b: Statement): boolean {
  return a.figures.some(({ unit }) => b.figures.some((other) => other.unit === unit || isLoose(unit, other.unit)));
}

/** "65K" and "65,000 tokens" are of one unit. */
const isLoose = (a: string, b: string): boolean => a === "" || b === "";

function differs(a: Statement, b: Statement): boolean {
  return !a.figures.some(({ value }) => b.figures.some((other) => other.value === value));
}
