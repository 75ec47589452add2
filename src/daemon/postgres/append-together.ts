/** Single events that come at the same moment, of whatever persons of a tenant, in one transaction: most of what one costs is the same for many. */
import { memoize } from "../../ground/core/memoize.ts";
import type { Append } from "./append-events.ts";
import type { Pool } from "./open-pool.ts";
import type { Batch } from "./prepare-batch.ts";
import { together } from "./together.ts";

const APPEND = `select sentinel.append_events($1, $2, $3, $4::text[], $5::timestamptz[], $6::text[], $7::text[], $8::json, $9::json,
  $10::json, $11::timestamptz) as refused`;
/** One that takes longer is given up, and each of its events says itself what is the matter. */
const APPEND_TOGETHER = {
  text: "select sentinel.append_together($1, $2::text[], $3::text[], $4::timestamptz[], $5::text[], $6::text[], $7::json, $8::json) as stored",
  query_timeout: 5_000,
};
/** Characters of the rows of an event that joins others: they wait for each other. */
const LONGEST = 16_384;
const NONE = "[]";
const TENANTS_KEPT = 100;

/** Lets events join where another one is on its way. One that it cannot store with others goes alone, as where no other is on its way. */
export function appendTogether(pool: Pool): Append {
  const gateOf = memoize(
    (tenant) => ({ running: 0, store: together(storingAll(pool, tenant)) }),
    TENANTS_KEPT,
  );
  return async (batch) => {
    const gate = gateOf(batch.tenant);
    const joins = gate.running > 0 && mayJoin(batch);
    gate.running++;
    try {
      if (joins && (await gate.store(batch))) return [];
      const { rows } = await pool.query<{ refused: string[] }>(APPEND, Object.values(batch));
      return rows[0]?.refused ?? [];
    } finally {
      gate.running--;
    }
  };
}

/** One small event with words, all of it. */
const mayJoin = ({ keys, events, chunks, artifacts }: Batch): boolean =>
  keys.length === 1 &&
  chunks !== NONE &&
  artifacts === NONE &&
  events.length + chunks.length <= LONGEST;

/** Says whether each was stored. A failure is that of all, and each hears its own when it is appended alone. */
const storingAll = (pool: Pool, tenant: string) => async (batches: readonly Batch[]) => {
  const lists = (["keys", "times", "channels", "sessions"] as const).map((name) =>
    batches.flatMap((one) => one[name]),
  );
  const rows = (["events", "chunks"] as const).map((name) =>
    oneList(batches.map((one) => one[name])),
  );
  const values = [tenant, batches.map(({ owner }) => owner), ...lists, ...rows];
  const answer = await pool
    .query<{ stored: number[] }>({ ...APPEND_TOGETHER, values })
    .catch(() => undefined);
  return batches.map((_, at) => answer?.rows[0]?.stored.includes(at + 1) ?? false);
};

/** @param lists in JSON, with something in each. */
const oneList = (lists: readonly string[]): string =>
  `[${lists.map((list) => list.slice(1, -1)).join()}]`;
