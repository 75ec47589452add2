/** Explains a `when`: the values that match some work, and the restriction or the value that does not. For `why`. */
import { tokenize } from "../../ground/search/tokenizer.ts";
import { EXCEPTIONS, TRIGGERS, type When, whenOf } from "../format/when.ts";
import { whenText } from "../format/when-text.ts";
import type { LessonLine } from "../merge/versions.ts";
import { isKeptOut, triggerOf, type Work } from "./matches-when.ts";

/** A lesson that does not come up, and the reason. */
export interface NotMatched {
  readonly line: LessonLine;
  readonly reason: string;
}

/** The values of a lesson's `when` that match some work, as `when` spells them. */
export function matchingValues(when: When, work: Work): string[] {
  return valuesOf(when)
    .filter((value) => triggerOf(value, work) !== undefined)
    .map(whenText);
}

/** A lesson that matches some work except for its branches, times, exceptions or `all`. */
export function keptOut(
  lines: readonly LessonLine[],
  works: readonly Work[],
): NotMatched | undefined {
  for (const line of lines) {
    const when = whenOf(line.version);
    for (const work of works) {
      const matching = matchingValues(when, work);
      if (matching.length === 0 || triggerOf(when, work) !== undefined) continue;
      const reason = `${matching.join("; ")} matches, but ${restrictionsOf(when, work).join("; ")} keeps it out.`;
      return { line, reason };
    }
  }
  return undefined;
}

/** The lesson with the value that shares most words with a text and does not match it: at least half of the value's words. */
export function nearMiss(lines: readonly LessonLine[], text: string): NotMatched | undefined {
  const words = new Set(tokenize(text));
  const shareOf = (value: When) => {
    const own = tokenize(whenText(value).replace(/^\w+: /, ""));
    return own.length === 0 ? 0 : own.filter((word) => words.has(word)).length / own.length;
  };
  const near = lines
    .flatMap((line) => valuesOf(whenOf(line.version)).map((value) => ({ line, value })))
    .map((one) => ({ ...one, share: shareOf(one.value) }))
    .filter(({ share }) => share >= LEAST_SHARE)
    .sort((a, b) => b.share - a.share);
  const [best] = near;
  return best && { line: best.line, reason: `${whenText(best.value)} does not match the text.` };
}

const LEAST_SHARE = 0.5;

/** Each value of a trigger as a `when` of its own. */
function valuesOf(when: When): When[] {
  return TRIGGERS.flatMap((kind) => (when[kind] ?? []).map((value) => ({ [kind]: [value] })));
}

/** The restrictions of a lesson that keep it out of some work, as `when` spells them. */
function restrictionsOf(when: When, work: Work): string[] {
  const { branches, from, until, not = {}, all } = when;
  const restrictions: When[] = [];
  if (branches) restrictions.push({ branches });
  if (from) restrictions.push({ from });
  if (until) restrictions.push({ until });
  for (const kind of EXCEPTIONS)
    for (const value of not[kind] ?? []) restrictions.push({ not: { [kind]: [value] } });
  const met = restrictions.filter((one) => isKeptOut(one, work)).map(whenText);
  if (met.length > 0 || !all) return met;
  const missing = valuesOf(when).filter((value) => triggerOf(value, work) === undefined);
  return [`all, with ${missing.map(whenText).join("; ")},`];
}
