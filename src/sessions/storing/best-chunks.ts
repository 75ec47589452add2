/** Chooses the chunks that answer a search: one for each event, so a long text that repeats a word can't take every place. */
import {
  LEAST_CANDIDATES,
  type Postings,
  type RankedChunk,
  rankChunks,
} from "../../ground/search/chunk-ranking.ts";
import { kindNamed } from "../kinds/kinds.ts";
import type { SearchHit } from "../store.ts";
import { eventOfChunk } from "./chunks.ts";

/** The number of hits to read beyond those requested, because only reading an event shows whether a tool produced it. */
export const READ_BESIDE = 20;
/** The weight of tool input and output. They contain many words, but a message is more often the answer. */
const OF_TOOLS = 0.83;

/** @param limit the most hits to return. */
export function bestOfEachEvent(
  text: string,
  postings: Postings,
  limit: number,
): readonly RankedChunk[] {
  // One long text may have more parts than are ranked at first.
  for (let wanted = limit; ; wanted *= 4) {
    const ranked = rankChunks(text, postings, 2 * wanted, wanted);
    const best = firstOfEachEvent(ranked);
    const areAll = ranked.length < Math.min(2 * wanted, Math.max(LEAST_CANDIDATES, wanted));
    if (best.length >= limit || areAll) return best.slice(0, limit);
  }
}

/** The first chunk of each event. */
function firstOfEachEvent(ranked: readonly RankedChunk[]): RankedChunk[] {
  const byEvent = new Map<string, RankedChunk>();
  for (const chunk of ranked) {
    const event = eventOfChunk(chunk.id);
    if (!byEvent.has(event)) byEvent.set(event, chunk);
  }
  return [...byEvent.values()];
}

/** The hits with the best scores, after lowering those of tools. @param hits best first. */
export function saidFirst(hits: readonly SearchHit[], limit: number): readonly SearchHit[] {
  return hits
    .map((hit) =>
      kindNamed(hit.event.kind)?.isOfTools ? { ...hit, score: OF_TOOLS * hit.score } : hit,
    )
    .sort((a, b) => b.score - a.score)
    .slice(0, limit);
}
