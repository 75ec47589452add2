/** What is compared over a record: its own ranking, with and without neighbours, and simpler searches over the same chunks. */
import MiniSearch from "minisearch";
import { rankChunks } from "../../src/ground/search/chunk-ranking.ts";
import type { Event } from "../../src/sessions/kinds/event.ts";
import { chunksOf } from "../../src/sessions/storing/chunks.ts";
import { type IndexedChunk, postingsOf } from "../../test/support/postings-in-memory.ts";
import type { Search } from "../support/quality.ts";
import { byJaccard, bySubstring } from "./engines.ts";

/** As many chunks as an answer may be chosen from. */
const CHUNKS = 400;

/** A search that gives the origins of events, over events in order of time. */
export type RecordEngine = (events: readonly Event[]) => Search;

export const RECORD_ENGINES: Readonly<Record<string, RecordEngine>> = {
  "sentinel-memory": overChunks(ranked),
  "without neighbours": overChunks((chunks) =>
    ranked(chunks.map((chunk) => ({ ...chunk, session: chunk.id }))),
  ),
  MiniSearch: overChunks((chunks) => {
    const index = new MiniSearch({ fields: ["text"] });
    index.addAll(chunks);
    return (query) => index.search(query).map(({ id }) => id as string);
  }),
  "Jaccard overlap of words": overChunks((chunks) => idsOf(byJaccard(chunks, ({ text }) => text))),
  substring: overChunks((chunks) => idsOf(bySubstring(chunks, ({ text }) => text))),
};

function ranked(chunks: readonly IndexedChunk[]): Search {
  const postings = postingsOf(chunks);
  return (query) => rankChunks(query, postings, CHUNKS).map(({ id }) => id);
}

function idsOf(search: (query: string) => readonly IndexedChunk[]): Search {
  return (query) => search(query).map(({ id }) => id);
}

function overChunks(prepare: (chunks: readonly IndexedChunk[]) => Search): RecordEngine {
  return (events) => {
    const chunks = events.flatMap((event) => chunksOf(event).map((chunk) => ({ chunk, event })));
    const origins = new Map(chunks.map(({ chunk, event }) => [chunk.id, event.origin as string]));
    const search = prepare(
      chunks.map(({ chunk: { id, text }, event: { session } }) => ({ id, text, session })),
    );
    return (query) => [...new Set(search(query).map((id) => origins.get(id) as string))];
  };
}
