/** Answers from the chunks that hold a query's terms, ranked as the file store ranks them (DESIGN.md, "The record on Postgres"). */
import { bestOfEachEvent } from "../events/best-of-each-event.ts";
import { MOST_HITS, type SearchHit, type SearchLimit, type SearchQuery, type SearchResult } from "../events/store.ts";
import { candidatesFor, NEIGHBOURS_READ } from "../search/chunk-ranking.ts";
import { tokenize } from "../search/tokenizer.ts";
import type { Database, Query } from "./database.ts";
import { readHits } from "./hits.ts";
import { type ChunkPlace, columnsOf, Pool, type PooledChunk } from "./pool.ts";

const DEFAULT_HITS = 10;
/** Chunks that hold terms of the query, counted for each term; those of rare terms come first. */
const MOST_POSTINGS = 20_000;

const SEARCH = "select * from sentinel.search_chunks($1, $2, $3, $4::bigint[], $5::bigint[], $6)";

interface Found {
  readonly p_count: number;
  readonly p_length: number;
  readonly p_owners: readonly string[];
  readonly p_is_cut: boolean;
  readonly p_chunks: string | null;
}

export function searchRecord(database: Database, { text, limit = DEFAULT_HITS }: SearchQuery): Promise<SearchResult> {
  const limits: SearchLimit[] = limit > MOST_HITS ? ["hits"] : [];
  return database.reading(async (read) => {
    const { pool, isCut } = await readPool(read, database, text);
    if (isCut) limits.push("terms");
    await addNeighbours(read, pool, candidatesFor(text, pool));
    const ranked = bestOfEachEvent(text, pool, Math.min(limit, MOST_HITS));
    const places = ranked.map(({ chunk }) => pool.placeOf(chunk));
    const { hits, isWhole } = await readHits(read, database.identity, places);
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
  ]);
  const { p_count = 0, p_length = 0, p_owners = [], p_is_cut = false, p_chunks = null } = found ?? {};
  const chunks = p_chunks === null ? [] : p_chunks.split("\n").map((line) => readLine(line, p_owners));
  return { pool: new Pool({ count: p_count, length: p_length }, terms, chunks), isCut: p_is_cut };
}

function readLine(line: string, owners: readonly string[]): PooledChunk {
  const [owner, session = "", ms, key = "", part, length, ...held] = line.split(" ");
  return {
    owner: owners[Number(owner) - 1] as string,
    session,
    ms: Number(ms),
    key,
    part: Number(part),
    length: Number(length),
    // The database counts from 1.
    held: held.flatMap((term, at) => (at % 2 === 0 ? [{ term: Number(term) - 1, times: Number(held[at + 1]) }] : [])),
  };
}

const PLACE = "(extract(epoch from c.ts) * 1000)::float8 as ms, c.key, c.part";
const SAME_SESSION = "c.owner = of.owner and c.session_no = of.session_no and (c.ts, c.key, c.part)";
const NEIGHBOURS = `select of.n::int, next.* from unnest($1::text[], $2::bigint[], $3::timestamptz[], $4::text[], $5::int[])
    with ordinality as of (owner, session_no, ts, key, part, n)
  cross join lateral (
    (select -1 as side, ${PLACE} from sentinel.chunks c where ${SAME_SESSION} < (of.ts, of.key, of.part)
     order by c.ts desc, c.key desc, c.part desc limit ${NEIGHBOURS_READ})
    union all
    (select 1 as side, ${PLACE} from sentinel.chunks c where ${SAME_SESSION} > (of.ts, of.key, of.part)
     order by c.ts, c.key, c.part limit ${NEIGHBOURS_READ})
  ) as next`;

type Neighbour = Pick<ChunkPlace, "ms" | "key" | "part"> & { readonly n: number; readonly side: number };

async function addNeighbours(read: Query, pool: Pool, chunks: readonly number[]): Promise<void> {
  const places = chunks.map((chunk) => pool.placeOf(chunk));
  const rows = await read<Neighbour>(NEIGHBOURS, columnsOf(places));
  const around = places.map((place): ChunkPlace[] => [place]);
  for (const { n, side, ms, key, part } of rows) {
    const own = around[n - 1] as ChunkPlace[];
    const { owner, session } = places[n - 1] as ChunkPlace;
    own.splice(side < 0 ? 0 : own.length, 0, { owner, session, ms, key, part });
  }
  for (const session of around) pool.addNeighbours(session);
}
