/** Scores search hits from 0 to 1 by match, newness and importance, weighted by the intent. Pure. (docs/design/sessions.md, "The bundle") */

import { compare } from "../../ground/core/text.ts";
import { DAY_MS } from "../../ground/core/time.ts";
import { importanceOf } from "../kinds/importance.ts";
import type { SearchHit } from "../store.ts";
import type { Intent } from "./bundle.ts";

/** Weights of match, newness and importance, which add up to 1, and the days after which newness falls to a third. Chosen by judgement, because benches hardly differ. */
export const WEIGHTS = {
  continue: { alpha: 0.3, beta: 0.6, gamma: 0.1, tauDays: 2 },
  recall: { alpha: 0.94, beta: 0.03, gamma: 0.03, tauDays: 90 },
  decision: { alpha: 0.85, beta: 0.05, gamma: 0.1, tauDays: 90 },
  onboarding: { alpha: 0.5, beta: 0.1, gamma: 0.4, tauDays: 30 },
  task: { alpha: 0.85, beta: 0.1, gamma: 0.05, tauDays: 14 },
} satisfies Record<Intent, object>;

export type Weights = Readonly<(typeof WEIGHTS)[Intent]>;

/** Hits below this score take a quarter of a bundle of 8,000 tokens for half a point of evidence (`npm run bench:bundle`). A larger bundle has a lower limit. */
const LEAST_SCORE = 0.15;
const LARGE_BUNDLE = 8_000;
/** The best hits are always shown, because an answer may use other words than the question. */
const ALWAYS = 20;

export type Scored = ReturnType<typeof scored>[number];

/** Best first. Equal scores are ordered by importance, newest first, shortest first, then by id. @param now in ms since 1970. */
export function scored(hits: readonly SearchHit[], weights: Weights, now: number) {
  const best = hits.reduce((most, { score }) => Math.max(most, score), 0);
  return hits
    .map((hit) => {
      const importance = importanceOf(hit.event);
      const match = best > 0 ? hit.score / best : 0;
      const score =
        weights.alpha * match +
        weights.beta *
          Math.exp(-Math.max(0, now - Date.parse(hit.event.ts)) / (weights.tauDays * DAY_MS)) +
        weights.gamma * importance;
      return { hit, score, importance };
    })
    .sort(
      (a, b) =>
        b.score - a.score ||
        b.importance - a.importance ||
        compare(b.hit.event.ts, a.hit.event.ts) ||
        a.hit.text.length - b.hit.text.length ||
        compare(a.hit.id, b.hit.id),
    );
}

/** The hits that match too little to be shown. @param found best first. @param maxTokens of the bundle. */
export function weakMatches(found: readonly Scored[], maxTokens: number): ReadonlySet<Scored> {
  const least = LEAST_SCORE * Math.min(1, LARGE_BUNDLE / maxTokens);
  return new Set(found.filter(({ score }, place) => place >= ALWAYS && score < least));
}
