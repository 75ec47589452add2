/** The chunks that answer a search: one for each event, because a long text that repeats a word must not take every place. */
import {
  LEAST_CANDIDATES,
  type Postings,
  type RankedChunk,
  rankChunks,
} from "../../ground/search/chunk-ranking.ts";
import { kindNamed } from "../kinds/kinds.ts";
import type { SearchHit } from "../store.ts";
import { eventOfChunk } from "./chunks.ts";

/** So many more hits than are asked for are read, because which event is of tools is known only then. */
export const READ_BESIDE = 20;
/** What tools were given and printed holds many words; what somebody said answers more often. */
const OF_TOOLS = 0.83;

/** @param limit how many, at most. */
export function bestOfEachEvent(
  text: string,
  postings: Postings,
  limit: number,
): readonly RankedChunk[] {
  // The parts of one long text may be more than are ranked at first.
  for (let wanted = limit; ; wanted *= 4) {
    const ranked = rankChunks(text, postings, 2 * wanted, wanted);
    const events = new Set<string>();
    const best = ranked.filter(({ id }) => events.size < events.add(eventOfChunk(id)).size);
    const areAll = ranked.length < Math.min(2 * wanted, Math.max(LEAST_CANDIDATES, wanted));
    if (best.length >= limit || areAll) return best.slice(0, limit);
  }
}

/** The hits with the best scores, once what tools were given and printed counts less. @param hits best first. */
export function saidFirst(hits: readonly SearchHit[], limit: number): readonly SearchHit[] {
  return hits
    .map((hit) =>
      kindNamed(hit.event.kind)?.isOfTools ? { ...hit, score: OF_TOOLS * hit.score } : hit,
    )
    .sort((a, b) => b.score - a.score)
    .slice(0, limit);
}
