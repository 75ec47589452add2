/** Scores search hits from 0 to 1 by match, newness and importance. Pure. (docs/design/sessions.md, "The bundle") */
import { compare } from "../../ground/core/text.ts";
import { DAY_MS } from "../../ground/core/time.ts";
import { importanceOf } from "../kinds/importance.ts";
import type { SearchHit } from "../store.ts";

/** Weights of match, newness and importance, which add up to 1, and the days after which newness falls to a third. Match alone finds the same number of answers. */
export const SCORING = { alpha: 0.94, beta: 0.03, gamma: 0.03, tau_days: 90 };

/** Hits below this score take a quarter of a bundle of 8,000 tokens for half a point of evidence (`9b2ae1a7: bench:bundle`). A larger bundle has a lower limit. */
const LEAST_SCORE = 0.15;
const LARGE_BUNDLE = 8_000;
/** The best hits are always shown, because an answer may use other words than the question. */
const ALWAYS = 20;

export interface Scored {
  readonly hit: SearchHit;
  readonly score: number;
}

/** Best first, and the newest first among equal ones. @param now in ms since 1970. */
export function scored(hits: readonly SearchHit[], now: number): Scored[] {
  const { alpha, beta, gamma, tau_days } = SCORING;
  const best = hits.reduce((most, { score }) => Math.max(most, score), 0);
  const scoreOf = ({ event, score }: SearchHit): number => {
    const match = best > 0 ? score / best : 0;
    const age = Math.max(0, now - Date.parse(event.ts)) / (tau_days * DAY_MS);
    return alpha * match + beta * Math.exp(-age) + gamma * importanceOf(event);
  };
  return hits
    .map((hit) => ({ hit, score: scoreOf(hit) }))
    .sort((a, b) => b.score - a.score || compare(b.hit.id, a.hit.id));
}

/** The hits that match too little to be shown. @param found best first. @param maxTokens of the bundle. */
export function weakMatches(found: readonly Scored[], maxTokens: number): ReadonlySet<Scored> {
  const least = LEAST_SCORE * Math.min(1, LARGE_BUNDLE / maxTokens);
  return new Set(found.filter(({ score }, place) => place >= ALWAYS && score < least));
}
