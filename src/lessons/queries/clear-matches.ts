/** Which lessons match a query so clearly that they are shown as matches, and not only named. */
import type { RankedLine } from "./lesson-ranking.ts";

/** From this `relevance` on a single word is enough: about one rare word of three. */
const FLOOR = 0.25;
/** Two words in common are less often a coincidence. */
const FLOOR_OF_TWO_WORDS = 0.2;
/** Beside a match that holds all of the query, one that holds a third of it is not meant. */
const LEAST_OF_THE_BEST = 0.4;

/** Those of some ranked lessons that clearly match, or say themselves that they are meant, in their order. */
export function clearMatches(ranked: readonly RankedLine[]): RankedLine[] {
  const best = Math.max(0, ...ranked.map(({ relevance, sharedWords }) => (sharedWords > 0 ? relevance : 0)));
  return ranked.filter(
    ({ comesUp, relevance, sharedWords }) =>
      comesUp ||
      (sharedWords > 0 &&
        relevance >= (sharedWords > 1 ? FLOOR_OF_TWO_WORDS : FLOOR) &&
        relevance >= best * LEAST_OF_THE_BEST),
  );
}
