/** Answers from the chunks that hold a query's terms, ranked as the file store ranks them (docs/design/daemon.md, "The session log on PostgreSQL"). */

import { groupBy } from "../../ground/core/group-by.ts";
import {
  contendersFor,
  NEIGHBOURS_READ,
  type RankedChunk,
} from "../../ground/search/chunk-ranking.ts";
import { tokenize } from "../../ground/search/tokenizer.ts";
import { eventText } from "../../sessions/kinds/event.ts";
import {
  type FoundChunk,
  MOST_HITS,
  type SearchHit,
  type SearchQuery,
  type SearchResult,
} from "../../sessions/store.ts";
import { bestOfEachEvent, READ_BESIDE, saidFirst } from "../../sessions/storing/best-chunks.ts";
import type { Database, Identity, Query } from "./database.ts";
import { EVENT_COLUMNS, type EventRow, eventOf } from "./event-row.ts";
import {
  type Around,
  type ChunkPlace,
  chunkIdOf,
  columnsOf,
  type FoundTerms,
  ReadPostings,
} from "./read-postings.ts";
import { readRows } from "./read-rows.ts";
import { fromStorable } from "./storable-text.ts";
import { termNumbers } from "./term-number.ts";

const DEFAULT_HITS = 10;
/** The most postings to read, counted per term and chunk. Rare terms are read first. */
const MOST_POSTINGS = 10_000;
/** The most chunks to read with place and neighbors if many match a query equally well. */
const MOST_PLACES = 2_000;

/** The most terms of a query to look up. Each takes PostgreSQL a fraction of a millisecond. */
const MOST_TERMS = 1_000;

const SEARCH = `select p_count as count, p_length as length, p_is_cut as "isCut", coalesce(p_counts, '{}') as holders,
  coalesce(p_postings, '') as postings from sentinel.search_chunks($1, $2, $3, $4::bigint[], $5::bigint[], $6)`;
const AROUND = "select * from sentinel.chunks_around($1, $2, $3, $4::tid[], $5)";

const NOTHING = { count: 0, length: 0, isCut: false, holders: [], postings: "" };

export function searchLog(
  database: Database,
  { text, limit = DEFAULT_HITS, withNeighbours = false }: SearchQuery,
): Promise<SearchResult> {
  return database.reading(async (read) => {
    const { identity } = database;
    const { tenant, owner, channel } = identity;
    const most = Math.min(limit, MOST_HITS);
    const asked = [...new Set(tokenize(text))];
    const terms = asked.slice(0, MOST_TERMS);
    const [found = NOTHING] = await read<FoundTerms & { readonly isCut: boolean }>(SEARCH, [
      tenant,
      owner,
      channel,
      terms.map(termNumbers(identity, "team")),
      terms.map(termNumbers(identity, "private")),
      MOST_POSTINGS,
    ]);
    const isCut = found.isCut || asked.length > terms.length;
    const postings = new ReadPostings(terms, found);
    const ranked = await rankedIn(postings, text, most + READ_BESIDE, (ctids) =>
      read<Around>(AROUND, [tenant, owner, channel, ctids, NEIGHBOURS_READ]),
    );
    const places = ranked.flatMap(({ chunk }) => postings.placeOf(chunk) ?? []);
    const { hits, isWhole } = await readHits(read, identity, { chunks: places, withNeighbours });
    const scored = hits.map((hit, at): SearchHit => ({ ...hit, score: ranked[at]?.score ?? 0 }));
    return {
      hits: saidFirst(scored, most),
      chunks: postings.count,
      notIndexed: { days: [], bytes: 0 },
      isCut: isCut || !isWhole || (limit > MOST_HITS && hits.length >= MOST_HITS),
    };
  });
}

/** Reads the places of more and more chunks, because the likely chunks may all be parts of one long text. */
async function rankedIn(
  postings: ReadPostings,
  text: string,
  wanted: number,
  around: (ctids: readonly string[]) => Promise<readonly Around[]>,
): Promise<readonly RankedChunk[]> {
  for (let likely = wanted; ; likely *= 4) {
    const contenders = contendersFor(text, postings, likely, Math.max(MOST_PLACES, likely));
    const unread = contenders.filter((chunk) => postings.placeOf(chunk) === undefined);
    if (unread.length > 0)
      postings.add(await around(unread.map((chunk) => postings.ctidOf(chunk))));
    const ranked = bestOfEachEvent(text, postings, wanted).filter(
      ({ chunk }) => postings.placeOf(chunk) !== undefined,
    );
    if (ranked.length >= wanted || likely >= postings.end) return ranked;
  }
}

/** The most bytes of event content in one answer. */
const MOST_BYTES = 8 * 1024 * 1024;

const PARTS = `select n, side, part, starts, ends, hidden, ${EVENT_COLUMNS}
  from sentinel.chunks_named($1::text[], $2::bigint[], $3::timestamptz[], $4::text[], $5::int[], $6, $7) as found
  cross join lateral (select (found.event).*) as event`;

interface Part extends EventRow {
  readonly n: number;
  readonly side: "hit" | "before" | "after";
  readonly part: number;
  /** The text of a part that its event doesn't show. Null if the part is in the event's text, from `starts` to `ends`. */
  readonly hidden: string | null;
  readonly starts: number;
  readonly ends: number;
}

type Hit = Omit<SearchHit, "score">;

/** @returns hits for the first of these chunks. `isWhole` is true if there is one for each chunk. */
async function readHits(
  read: Query,
  identity: Identity,
  {
    chunks,
    withNeighbours,
  }: { readonly chunks: readonly ChunkPlace[]; readonly withNeighbours: boolean },
): Promise<{ hits: readonly Hit[]; isWhole: boolean }> {
  const parts = await readRows<Part>(read, identity, PARTS, [
    ...columnsOf(chunks),
    withNeighbours,
    MOST_BYTES,
  ]);
  const byChunk = groupBy(parts, ({ n }) => n);
  const found = (around: readonly Part[], side: Part["side"]): FoundChunk | undefined => {
    const part = around.find((one) => one.side === side);
    if (!part) return undefined;
    const event = eventOf(part);
    const { hidden, starts, ends } = part;
    const text = hidden === null ? eventText(event).slice(starts, ends) : fromStorable(hidden);
    return { id: chunkIdOf(part), event, text };
  };
  const hits = [...byChunk.values()].flatMap((around): Hit[] => {
    const [hit, before, after] = [
      found(around, "hit"),
      found(around, "before"),
      found(around, "after"),
    ];
    return hit ? [{ ...hit, before, after }] : [];
  });
  return { hits, isWhole: byChunk.size === chunks.length };
}
