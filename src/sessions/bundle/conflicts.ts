/** Summaries that give another figure than newer events, which count. Pure. (docs/design/sessions.md, "The bundle") */
import { isEveryday } from "../../ground/search/everyday.ts";
import { tokenize } from "../../ground/search/tokenizer.ts";

export interface Claim {
  readonly id: string;
  readonly ts: string;
  readonly text: string;
}

type Statement = ReturnType<typeof statementsIn>[number];

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
export function conflictsIn(summaries: readonly Claim[], others: readonly Claim[]) {
  if (summaries.length === 0) return [];
  const newestFirst = [...others].sort((a, b) => (a.ts < b.ts ? 1 : -1));
  const said = newestFirst.flatMap(statementsIn).slice(0, MOST_STATEMENTS);
  return summaries.flatMap((summary) => {
    for (const believed of statementsIn(summary)) {
      const newest = said.find((statement) => isAboutTheSame(believed, statement));
      if (newest && newest.value !== believed.value)
        return [{ summary: summary.id, says: believed.written, event: newest.claim.id, against: newest.written }];
    }
    return [];
  });
}

/** The sentences with one figure, as it is written and what it comes to: of several nobody knows which is meant. */
function statementsIn(claim: Claim) {
  return claim.text.split(SENTENCE).flatMap((sentence) => {
    const [figure, ...others] = sentence.matchAll(FIGURE);
    if (!figure || others.length > 0) return [];
    const [written, number = "", named = ""] = figure;
    const factor = FACTORS[named.toLowerCase()];
    const value = Number(number.replaceAll(",", "")) * (factor ?? 1);
    const unit = factor === undefined ? named.toLowerCase().replace(/s$/, "") : "";
    if (unit === "" && value < LEAST_VALUE) return [];
    const terms = new Set(tokenize(sentence.replace(FIGURE, " ")).filter((term) => !isEveryday(term)));
    return [{ claim, terms, written: written.trim(), value, unit }];
  });
}

/** "65K" and "65,000 tokens" are of one unit. */
function isAboutTheSame(a: Statement, b: Statement): boolean {
  const shared = [...a.terms].filter((term) => b.terms.has(term)).length;
  const smaller = Math.min(a.terms.size, b.terms.size);
  const isOfOneUnit = a.unit === b.unit || a.unit === "" || b.unit === "";
  return isOfOneUnit && shared >= LEAST_SHARED && shared / smaller >= SAME_SUBJECT;
}
