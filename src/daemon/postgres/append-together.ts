/** Single events that come at the same moment, of whatever persons of a tenant, in one transaction: most of what one costs is the same for many. */
import { remembering } from "../../ground/core/remembering.ts";
import type { Pool } from "./open-pool.ts";
import { together } from "./together.ts";

/** Events of one person, as `append_events` takes them: lists in one order, and JSON of the rows of tables. */
export interface Batch {
  readonly tenant: string;
  readonly owner: string;
  readonly channel: string;
  readonly keys: readonly string[];
  readonly times: readonly string[];
  readonly channels: readonly string[];
  readonly sessions: readonly string[];
  readonly events: string;
  readonly chunks: string;
  readonly artifacts: string;
  readonly now: string;
}

/** @returns the keys that are refused, or were stored before, as `append_events` says them. */
export type Append = (batch: Batch) => Promise<readonly string[]>;

const APPEND = `select sentinel.append_events($1, $2, $3, $4::text[], $5::timestamptz[], $6::text[], $7::text[], $8::json, $9::json,
  $10::json, $11::timestamptz) as refused`;
/** One that takes longer is given up, and each of its events says itself what is the matter. */
const APPEND_TOGETHER = {
  text: `select sentinel.append_together($1, $2::text[], $3::text[], $4::timestamptz[], $5::text[], $6::text[], $7::json, $8::json)
    as stored`,
  query_timeout: 5_000,
};
/** Characters of the rows of an event that joins others: they wait for each other. */
const LONGEST = 16_384;
const TENANTS_KEPT = 100;

/** Lets events join where another one is on its way. One that it cannot store with others goes alone, as where no other is on its way. */
export function appendTogether(pool: Pool): Append {
  const gateOf = remembering(
    (tenant) => ({ running: 0, store: together((batches: readonly Batch[]) => storeAll(pool, tenant, batches)) }),
    TENANTS_KEPT,
  );
  return async (batch) => {
    const gate = gateOf(batch.tenant);
    const joins = gate.running > 0 && isSmall(batch);
    gate.running++;
    try {
      return joins && (await gate.store(batch)) ? [] : await appendAlone(pool, batch);
    } finally {
      gate.running--;
    }
  };
}

async function appendAlone(pool: Pool, batch: Batch): Promise<readonly string[]> {
  const { tenant, owner, channel, keys, times, channels, sessions, events, chunks, artifacts, now } = batch;
  const values = [tenant, owner, channel, keys, times, channels, sessions, events, chunks, artifacts, now];
  const { rows } = await pool.query<{ refused: string[] | null }>(APPEND, values);
  return rows[0]?.refused ?? [];
}

const isSmall = ({ keys, events, chunks, artifacts }: Batch): boolean =>
  keys.length === 1 && artifacts === "[]" && events.length + chunks.length <= LONGEST;

/** Whether each was stored. A failure is that of all, and each hears its own when it is appended alone. */
async function storeAll(pool: Pool, tenant: string, batches: readonly Batch[]): Promise<readonly boolean[]> {
  const lists = (["keys", "times", "channels", "sessions"] as const).map((name) => batches.flatMap((one) => one[name]));
  const rows = (["events", "chunks"] as const).map((name) => joinedLists(batches.map((one) => one[name])));
  const values = [tenant, batches.map(({ owner }) => owner), ...lists, ...rows];
  const stored = await pool.query<{ stored: number[] }>({ ...APPEND_TOGETHER, values }).then(
    ({ rows: [answer] }) => answer?.stored ?? [],
    (): number[] => [],
  );
  return batches.map((_, at) => stored.includes(at + 1));
}

/** One JSON list of all that lists hold. */
const joinedLists = (lists: readonly string[]): string =>
  `[${lists
    .map((list) => list.slice(1, -1))
    .filter(Boolean)
    .join()}]`;
