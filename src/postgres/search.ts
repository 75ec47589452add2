/** Answers from the chunks that hold a query's terms, ranked as the file store ranks them (DESIGN.md, "The record on Postgres"). */
import { bestOfEachEvent } from "../events/best-of-each-event.ts";
import { MOST_HITS, type SearchHit, type SearchLimit, type SearchQuery, type SearchResult } from "../events/store.ts";
import { candidatesFor, NEIGHBOURS_READ } from "../search/chunk-ranking.ts";
import { tokenize } from "../search/tokenizer.ts";
import type { Database, Query } from "./database.ts";
import { readHits } from "./hits.ts";
import { columnsOf, Pool } from "./pool.ts";

const DEFAULT_HITS = 10;
/** Chunks that hold terms of the query, counted for each term; those of rare terms come first. */
const MOST_POSTINGS = 20_000;

/** Chunks that are ranked: those that hold the rarest terms, where there are more. */
const MOST_CHUNKS = 2_000;

const SEARCH = "select * from sentinel.search_chunks($1, $2, $3, $4::bigint[], $5::bigint[], $6, $7)";

interface Found {
  readonly p_count: number;
  readonly p_length: number;
  readonly p_owners: readonly string[];
  readonly p_is_cut: boolean;
  readonly p_counts: readonly number[] | null;
  readonly p_chunks: string | null;
}

export function searchRecord(
  database: Database,
  { text, limit = DEFAULT_HITS, withNeighbours = false }: SearchQuery,
): Promise<SearchResult> {
  const limits: SearchLimit[] = limit > MOST_HITS ? ["hits"] : [];
  return database.reading(async (read) => {
    const most = Math.min(limit, MOST_HITS);
    const { pool, isCut } = await readPool(read, database, text);
    if (isCut) limits.push("terms");
    await addNeighbours(read, pool, candidatesFor(text, pool, most));
    const ranked = bestOfEachEvent(text, pool, most);
    const places = ranked.map(({ chunk }) => pool.placeOf(chunk));
    const { hits, isWhole } = await readHits(read, database.identity, { chunks: places, withNeighbours });
    if (!isWhole) limits.push("bytes");
    const scored = hits.map((hit, at): SearchHit => ({ ...hit, score: ranked[at]?.score ?? 0 }));
    return { hits: scored, chunks: pool.count, notIndexed: { days: [], bytes: 0 }, limits };
  });
}

async function readPool(
  read: Query,
  { identity, terms: numbers }: Database,
  text: string,
): Promise<{ pool: Pool; isCut: boolean }> {
  const terms = [...new Set(tokenize(text))];
  const [found] = await read<Found>(SEARCH, [
    identity.tenant,
    identity.owner,
    identity.channel,
    terms.map((term) => numbers.of(term, "all")),
    terms.map((term) => numbers.of(term, "owner")),
    MOST_POSTINGS,
    MOST_CHUNKS,
  ]);
  const { p_count = 0, p_length = 0, p_owners = [], p_is_cut = false, p_counts, p_chunks } = found ?? {};
  const lines = p_chunks?.split("\n") ?? [];
  const known = { count: p_count, length: p_length, owners: p_owners, holders: p_counts ?? [], lines };
  return { pool: new Pool(terms, known), isCut: p_is_cut };
}

const PLACE = "c.ts, c.key, c.part";
const SAME_SESSION = "c.owner = of.owner and c.session_no = of.session_no and (c.ts, c.key, c.part)";
/** One text for each, because a driver takes a microsecond for each field. */
const NEIGHBOURS = `select string_agg(concat_ws(' ', (extract(epoch from next.ts) * 1000)::bigint, next.key, next.part), '|'
      order by next.ts, next.key collate "C", next.part) as around
  from unnest($1::text[], $2::bigint[], $3::timestamptz[], $4::text[], $5::int[])
    with ordinality as of (owner, session_no, ts, key, part, n)
  cross join lateral (
    select of.ts, of.key, of.part
    union all
    (select ${PLACE} from sentinel.chunks c where ${SAME_SESSION} < (of.ts, of.key, of.part)
     order by c.ts desc, c.key desc, c.part desc limit ${NEIGHBOURS_READ})
    union all
    (select ${PLACE} from sentinel.chunks c where ${SAME_SESSION} > (of.ts, of.key, of.part)
     order by c.ts, c.key, c.part limit ${NEIGHBOURS_READ})
  ) as next
  group by of.n order by of.n`;

async function addNeighbours(read: Query, pool: Pool, chunks: readonly number[]): Promise<void> {
  const rows = await read<{ around: string }>(NEIGHBOURS, columnsOf(chunks.map((chunk) => pool.placeOf(chunk))));
  for (const [at, { around }] of rows.entries()) pool.addNeighbours(chunks[at] as number, around.split("|"));
}
