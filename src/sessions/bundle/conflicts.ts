/** Summaries that give another figure than newer events, which count. Pure. (docs/design/sessions.md, "The bundle") */
import { isEveryday } from "../../ground/search/everyday.ts";
import { tokenize } from "../../ground/search/tokenizer.ts";
import { figuresIn } from "../projections/figures.ts";

export interface Claim {
  readonly id: string;
  readonly ts: string;
  readonly text: string;
}

type Statement = ReturnType<typeof statementsIn>[number];

const SENTENCE = /(?<=[.!?;。！？])\s+|\n+/;
/** A figure that bounds something contradicts only one that bounds it on the same side. */
const BOUND =
  /\b(?:above|at least|at most|below|m(?:ax|in)(?:imum)?|over|under|up to|(?:fewer|less|more|\w+er) than)\b/i;
/** A figure beside one of these words tells what once came out, and not what holds. */
const CAME_OUT = /\b(?:average\w*|lasted|measured|spent|took|used|yesterday)\b/i;
/** Two sentences share at least so many words, and this share of the longer one, which may add where else its figure holds. */
const LEAST_SHARED = 2;
const SAME_SUBJECT = 0.7;
/** A small number without a unit counts something, and means little elsewhere. */
const LEAST_VALUE = 10;
const MOST_STATEMENTS = 400;

/** @param summaries and what else was found. @param asked terms of the query. @returns of each summary the first conflict, with the newest event that contradicts it. */
export function conflictsIn(
  summaries: readonly Claim[],
  others: readonly Claim[],
  asked: ReadonlySet<string>,
) {
  if (summaries.length === 0) return [];
  const newestFirst = [...others].sort((a, b) => (a.ts < b.ts ? 1 : -1));
  const said = newestFirst.flatMap(statementsIn).slice(0, MOST_STATEMENTS);
  return summaries.flatMap((summary) => {
    for (const believed of statementsIn(summary)) {
      const newest = said.find((statement) => isAboutTheSame(believed, statement));
      if (newest && newest.value !== believed.value) {
        const isAsked = sharedBy(believed, newest).some((term) => asked.has(term));
        const flag = {
          summary: summary.id,
          says: believed.written,
          event: newest.claim.id,
          against: newest.written,
        };
        return [{ flag, isAsked }];
      }
    }
    return [];
  });
}

/** What of a summary other events may contradict; empty where it gives no figure. */
export const figuresOf = (text: string): string =>
  statementsIn({ id: "", ts: "", text })
    .map(({ sentence }) => sentence)
    .join("\n");

/** The sentences with one figure: nobody knows which of several is meant. */
function statementsIn(claim: Claim) {
  const sentences = claim.text.split(SENTENCE).filter((sentence) => !CAME_OUT.test(sentence));
  return sentences.flatMap((sentence) => {
    const { figures, rest } = figuresIn(sentence);
    const [figure, ...others] = figures;
    if (!figure || others.length > 0 || (figure.unit === "" && figure.value < LEAST_VALUE))
      return [];
    const terms = new Set(tokenize(rest).filter((term) => !isEveryday(term)));
    return [{ claim, sentence, terms, bound: BOUND.exec(sentence)?.[0].toLowerCase(), ...figure }];
  });
}

function isAboutTheSame(a: Statement, b: Statement): boolean {
  const least = Math.max(LEAST_SHARED, SAME_SUBJECT * Math.max(a.terms.size, b.terms.size));
  return a.unit === b.unit && a.bound === b.bound && sharedBy(a, b).length >= least;
}

const sharedBy = (a: Statement, b: Statement): string[] =>
  [...a.terms].filter((term) => b.terms.has(term));
