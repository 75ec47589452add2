/** Searches in the database: one statement ranks the chunks, another one reads them (docs/design/daemon.md, "The session log on PostgreSQL"). */
import { countEach, groupBy } from "../../ground/core/collections.ts";
import { tokenize } from "../../ground/search/tokenizer.ts";
import { eventText } from "../../sessions/kinds/event.ts";
import {
  type FoundChunk,
  MOST_HITS,
  type SearchHit,
  type SearchQuery,
  type SearchResult,
} from "../../sessions/store.ts";
import { chunkId, READ_BESIDE, saidFirst } from "../../sessions/storing/chunks.ts";
import type { Database } from "./database.ts";
import { type EventRow, readRows } from "./event-rows.ts";
import { termHash } from "./prepare-batch.ts";
import { fromStorable } from "./storable-text.ts";

const DEFAULT_HITS = 10;
/** The most terms of a query to look up. Each takes PostgreSQL a fraction of a millisecond. */
const MOST_TERMS = 1_000;
/** The most matches to score, counted per term and chunk. Rare terms are read first. */
const MOST_MATCHES = 10_000;
/** The most bytes of event content in one answer. */
const MOST_BYTES = 8 * 1024 * 1024;

const TOTALS = `select coalesce(sum(chunks), 0)::float8 as chunks,
  coalesce(sum(length) / nullif(sum(chunks), 0), 0)::float8 as length from sentinel.chunk_totals`;
const RANK =
  "select * from sentinel.search_chunks($1, $2, $3, $4::text[], $5::text[], $6::int[], $7, $8, $9, $10)";
const PARTS = "select * from sentinel.chunks_named($1, $2, $3)";

/** A row of `search_chunks`. `chunks_named` accepts it unchanged. */
interface Ranked {
  readonly is_cut: boolean;
  readonly score: number;
}

interface Part extends Omit<EventRow, "seq"> {
  /** The place of the hit in the answer, from 1. */
  readonly n: number;
  readonly side: "hit" | "before" | "after";
  readonly part: number;
  readonly starts: number;
  readonly ends: number;
  /** The text of a part that its event doesn't show. Null if the part is in the event's text, from `starts` to `ends`. */
  readonly hidden: string | null;
}

export function searchLog(
  database: Database,
  { text, limit = DEFAULT_HITS, withNeighbours = false }: SearchQuery,
): Promise<SearchResult> {
  const { tenant, owner, channel } = database.identity;
  const most = Math.min(limit, MOST_HITS);
  const asked = countEach(tokenize(text));
  const terms = [...asked.keys()].slice(0, MOST_TERMS);
  const times = terms.map((term) => asked.get(term));
  const shared = terms.map(termHash(database.identity, "team"));
  const own = terms.map(termHash(database.identity, "private"));
  return database.reading(async (read) => {
    const [totals] = await read<{ chunks: number; length: number }>(TOTALS, []);
    const { chunks = 0, length = 0 } = totals ?? {};
    const wanted = most + READ_BESIDE;
    const query = [
      tenant,
      owner,
      channel,
      shared,
      own,
      times,
      chunks,
      length,
      wanted,
      MOST_MATCHES,
    ];
    const ranked = await read<Ranked>(RANK, query);
    const named = [JSON.stringify(ranked), withNeighbours, MOST_BYTES];
    const parts = await readRows<Part>(read, database.identity, PARTS, named);
    const hits = hitsOf(parts, ranked);
    const hasUnreadTerms = ranked[0]?.is_cut === true || asked.size > terms.length;
    const hasUnreadHits = hits.length < ranked.length;
    const hasTooManyHits = limit > MOST_HITS && hits.length >= MOST_HITS;
    return {
      hits: saidFirst(hits, most),
      chunks,
      notIndexed: { days: [], bytes: 0 },
      isCut: hasUnreadTerms || hasUnreadHits || hasTooManyHits,
    };
  });
}

/** Returns the hits in their order, each with the chunks before and after it. */
function hitsOf(parts: readonly Part[], ranked: readonly Ranked[]): SearchHit[] {
  const hits: SearchHit[] = [];
  for (const [n, around] of groupBy(parts, (part) => part.n)) {
    const chunkOn = (side: Part["side"]) => {
      const part = around.find((one) => one.side === side);
      return part && chunkOf(part);
    };
    const hit = chunkOn("hit");
    const score = ranked[n - 1]?.score ?? 0;
    if (hit) {
      hits.push({ ...hit, score, before: chunkOn("before"), after: chunkOn("after") });
    }
  }
  return hits;
}

function chunkOf(row: Part): FoundChunk {
  const { event, part, hidden, starts, ends } = row;
  const text = hidden === null ? eventText(event).slice(starts, ends) : fromStorable(hidden);
  return { id: chunkId(event.id, part), event, text };
}
