/** The texts of found chunks and of what stands around them, read from their events under the policies. */
import { groupBy } from "../core/group-by.ts";
import type { Event } from "../events/event.ts";
import { eventText } from "../events/event-text.ts";
import type { FoundChunk, SearchHit } from "../events/store.ts";
import type { Identity, Query } from "./database.ts";
import { EVENT_COLUMNS, type EventRow, eventOf } from "./event-row.ts";
import { type ChunkPlace, chunkIdOf, columnsOf } from "./pool.ts";
import { readRows } from "./read-rows.ts";

/** Of contents of events, for the texts of one answer. */
const MOST_BYTES = 8 * 1024 * 1024;

const COLUMNS = "c.owner, c.ts, c.key, c.part, c.starts, c.ends";
const OTHER_EVENT = "c.owner = of.owner and c.session_no = of.session_no and (c.ts, c.key)";
const HIT = `select 'hit' as side, ${COLUMNS} from sentinel.chunks c
  where c.owner = of.owner and c.ts = of.ts and c.key = of.key and c.part = of.part`;
/** The nearest ones of other events of its session. */
const NEIGHBOURS = [
  `select 'before' as side, ${COLUMNS} from sentinel.chunks c where ${OTHER_EVENT} < (of.ts, of.key)
    order by c.ts desc, c.key desc, c.part desc limit 1`,
  `select 'after' as side, ${COLUMNS} from sentinel.chunks c where ${OTHER_EVENT} > (of.ts, of.key)
    order by c.ts, c.key, c.part limit 1`,
];
const partsAround = (
  sides: readonly string[],
) => `select of.n::int, found.*, (extract(epoch from found.ts) * 1000)::float8 as ms,
    (select octet_length(content::text) from sentinel.events e
     where e.owner = found.owner and e.ts = found.ts and e.key = found.key) as bytes
  from unnest($1::text[], $2::bigint[], $3::timestamptz[], $4::text[], $5::int[])
    with ordinality as of (owner, session_no, ts, key, part, n)
  cross join lateral (${sides.map((side) => `(${side})`).join(" union all ")}) as found`;
const PARTS = partsAround([HIT]);
const PARTS_WITH_NEIGHBOURS = partsAround([HIT, ...NEIGHBOURS]);
/** With their first and last time, so that only partitions are planned for that may hold one. */
const EVENTS = `select ${EVENT_COLUMNS} from sentinel.events
  where (ts, owner, key) in (select * from unnest($1::timestamptz[], $2::text[], $3::text[]))
    and ts between $4::timestamptz and $5::timestamptz`;

interface Part extends Pick<ChunkPlace, "owner" | "ms" | "key" | "part"> {
  readonly n: number;
  readonly side: "hit" | "before" | "after";
  /** Where it stands in the text of its event. */
  readonly starts: number;
  readonly ends: number;
  /** Of its event. */
  readonly bytes: number;
}

type Hit = Omit<SearchHit, "score">;

/** @returns hits for the first of these chunks, for all of them where `isWhole`. */
export async function readHits(
  read: Query,
  identity: Identity,
  { chunks, withNeighbours }: { readonly chunks: readonly ChunkPlace[]; readonly withNeighbours: boolean },
): Promise<{ hits: readonly Hit[]; isWhole: boolean }> {
  const parts = await read<Part>(withNeighbours ? PARTS_WITH_NEIGHBOURS : PARTS, columnsOf(chunks));
  const byChunk = groupBy(parts, ({ n }) => n);
  const wanted = chunks.map((_, at) => byChunk.get(at + 1) ?? []);
  let bytes = 0;
  const within = wanted.filter((around) => {
    bytes += around.reduce((sum, part) => sum + part.bytes, 0);
    return bytes <= MOST_BYTES;
  });
  const events = await eventsOf(read, identity, within.flat());
  const found = (around: readonly Part[], side: Part["side"]): FoundChunk | undefined => {
    const part = around.find((one) => one.side === side);
    const event = part && events.get(nameOf(part));
    return event && { id: chunkIdOf(part), event, text: eventText(event).slice(part.starts, part.ends) };
  };
  const hits = within.flatMap((around): Hit[] => {
    const [hit, before, after] = [found(around, "hit"), found(around, "before"), found(around, "after")];
    return hit ? [{ ...hit, ...(before && { before }), ...(after && { after }) }] : [];
  });
  return { hits, isWhole: within.length === wanted.length };
}

async function eventsOf(read: Query, identity: Identity, parts: readonly Part[]): Promise<Map<string, Event>> {
  if (parts.length === 0) return new Map();
  const times = parts.map(({ ms }) => new Date(ms).toISOString());
  const inOrder = times.toSorted();
  const rows = await readRows<EventRow>(read, identity, EVENTS, [
    times,
    parts.map(({ owner }) => owner),
    parts.map(({ key }) => key),
    inOrder[0],
    inOrder.at(-1),
  ]);
  return new Map(rows.map((row) => [nameOf(row), eventOf(row)]));
}

function nameOf({ owner, ms, key }: Pick<ChunkPlace, "owner" | "ms" | "key">): string {
  return `${ms} ${key} ${owner}`;
}
