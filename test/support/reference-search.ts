/** What a search of a session log has to find, in the simplest way: all events read, their postings in maps. */

import { rankChunks } from "../../src/ground/search/chunk-ranking.ts";
import { allChunksOf } from "../../src/sessions/answers/page-answer.ts";
import type { Event } from "../../src/sessions/kinds/event.ts";
import type { EventStore } from "../../src/sessions/store.ts";
import {
  type Chunk,
  eventOfChunk,
  READ_BESIDE,
  saidFirst,
} from "../../src/sessions/storing/chunks.ts";
import { postingsOf } from "./postings-in-memory.ts";

/** The ids and scores of the best chunks, one of each event, for any number of queries. */
export async function referenceSearch(
  store: EventStore,
): Promise<(query: string, limit?: number) => Ranked[]> {
  const events: Event[] = [];
  for await (const event of store.read()) {
    events.push(event);
  }
  events.sort((a, b) => (a.id < b.id ? -1 : 1));
  const chunks: (Chunk & { readonly event: Event; readonly session: string })[] = [];
  for (const event of events) {
    for (const chunk of await allChunksOf(event, store)) {
      chunks.push({ ...chunk, event, session: event.session });
    }
  }
  const postings = postingsOf(chunks);
  return (query, limit = 10) => {
    const most = limit + READ_BESIDE;
    const ranked = rankChunks(query, postings, chunks.length, most);
    const isFirst = (id: string, at: number) =>
      !ranked.slice(0, at).some((other) => eventOfChunk(other.id) === eventOfChunk(id));
    const best = ranked.filter(({ id }, at) => isFirst(id, at)).slice(0, most);
    const hits = best.map(({ chunk, id, score }) => ({
      ...(chunks[chunk] as (typeof chunks)[number]),
      id,
      score,
    }));
    return saidFirst(hits, limit).map(({ id, score }) => ({ id, score }));
  };
}

export interface Ranked {
  readonly id: string;
  readonly score: number;
}

/** The same of a store's own answers. */
export async function rankedBy(
  store: EventStore,
  query: string,
  limit?: number,
): Promise<Ranked[]> {
  const { hits } = await store.search({ text: query, ...(limit !== undefined && { limit }) });
  return hits.map(({ id, score }) => ({ id, score }));
}
