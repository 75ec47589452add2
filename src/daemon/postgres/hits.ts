/** The texts of found chunks and of what stands around them, read from their events under the policies. */
import { groupBy } from "../../ground/core/group-by.ts";
import { eventText } from "../../sessions/kinds/event-text.ts";
import type { FoundChunk, SearchHit } from "../../sessions/store.ts";
import type { Identity, Query } from "./database.ts";
import { EVENT_COLUMNS, type EventRow, eventOf } from "./event-row.ts";
import { type ChunkPlace, chunkIdOf, columnsOf } from "./read-postings.ts";
import { readRows } from "./read-rows.ts";

/** Of contents of events, for the texts of one answer. */
const MOST_BYTES = 8 * 1024 * 1024;

const PARTS = `select n, side, part, starts, ends, ${EVENT_COLUMNS}
  from sentinel.chunks_named($1::text[], $2::bigint[], $3::timestamptz[], $4::text[], $5::int[], $6, $7) as found
  cross join lateral (select (found.event).*) as event`;

interface Part extends EventRow {
  readonly n: number;
  readonly side: "hit" | "before" | "after";
  readonly part: number;
  /** Where it stands in the text of its event. */
  readonly starts: number;
  readonly ends: number;
}

type Hit = Omit<SearchHit, "score">;

/** @returns hits for the first of these chunks, for all of them where `isWhole`. */
export async function readHits(
  read: Query,
  identity: Identity,
  { chunks, withNeighbours }: { readonly chunks: readonly ChunkPlace[]; readonly withNeighbours: boolean },
): Promise<{ hits: readonly Hit[]; isWhole: boolean }> {
  const parts = await readRows<Part>(read, identity, PARTS, [...columnsOf(chunks), withNeighbours, MOST_BYTES]);
  const byChunk = groupBy(parts, ({ n }) => n);
  const found = (around: readonly Part[], side: Part["side"]): FoundChunk | undefined => {
    const part = around.find((one) => one.side === side);
    if (!part) return undefined;
    const event = eventOf(part);
    return { id: chunkIdOf(part), event, text: eventText(event).slice(part.starts, part.ends) };
  };
  const hits = [...byChunk.values()].flatMap((around): Hit[] => {
    const [hit, before, after] = [found(around, "hit"), found(around, "before"), found(around, "after")];
    return hit ? [{ ...hit, ...(before && { before }), ...(after && { after }) }] : [];
  });
  return { hits, isWhole: byChunk.size === chunks.length };
}
