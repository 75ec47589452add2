/** The chunks that answer a search: one for each event, because a long text that repeats a word must not take every place. */
import { type Postings, type RankedChunk, rankChunks } from "../../ground/search/chunk-ranking.ts";
import { eventOfChunk } from "./chunks.ts";

/** @param limit how many, at most. */
export function bestOfEachEvent(text: string, postings: Postings, limit: number): readonly RankedChunk[] {
  for (let asked = 2 * limit; ; asked *= 4) {
    const ranked = rankChunks(text, postings, asked, limit);
    const events = new Set<string>();
    const best = ranked.filter(({ id }) => events.size < events.add(eventOfChunk(id)).size);
    if (best.length >= limit || ranked.length < asked) return best.slice(0, limit);
  }
}
