/** Purges a person's events, and deletes expired ones (docs/design/daemon.md, "Purging"). Only the person who recorded an event can purge it. */
import { DAY_MS } from "../../ground/core/time.ts";
import type { Kind } from "../../sessions/kinds/event.ts";
import type { Purged, PurgeTarget, Retained, RetentionLimits } from "../../sessions/store.ts";
import {
  firstDayToKeep,
  identitiesIn,
  nonBlank,
  purgeMatcher,
} from "../../sessions/storing/removal.ts";
import type { Database, Query } from "./database.ts";
import { EVENT_COLUMNS, type EventRow } from "./event-rows.ts";
import { toStorable } from "./storable-text.ts";

const LOCK = "select pg_advisory_xact_lock(sentinel.write_lock($1, $2))";
const PURGE =
  "select p_kinds as kinds, p_artifacts::float8 as artifacts from sentinel.purge_events($1, $2, $3, $4::text[], $5)";

/** Purges events. A plan is a purge that is rolled back. */
export function purge(
  database: Database,
  target: PurgeTarget,
  how: "plan" | "do it",
): Promise<Purged> {
  const { tenant, owner, channel } = database.identity;
  return database.writing(async (query) => {
    // Lock, so that no events of the person are appended between the search and the purge.
    await query(LOCK, [tenant, owner]);
    if (how === "plan") await query("savepoint plan");
    const session = "session" in target ? toStorable(target.session) : null;
    const keys = "session" in target ? [] : await keysOf(query, owner, target);
    type Counts = { kinds: Partial<Record<Kind, number>> | null; artifacts: number };
    const [purged] = await query<Counts>(PURGE, [tenant, owner, channel, keys, session]);
    if (how === "plan") await query("rollback to savepoint plan");
    const kinds = purged?.kinds ?? {};
    const events = Object.values(kinds).reduce((sum, count) => sum + count, 0);
    return { events, kinds, artifacts: purged?.artifacts ?? 0 };
  });
}

/** Events per page. */
const PAGE = 500;
const ARTIFACTS_WITH =
  "select id from sentinel.artifacts where owner = $1 and strpos(text, $2) > 0";
/** Selects events that may contain a text. `purgeMatcher` decides, because it ignores field names. */
const MAY_MENTION = `select key, ${EVENT_COLUMNS} from sentinel.events
  where owner = $1 and key > $2 and (strpos(event::text, $3) > 0 or artifacts && $4::text[]) order by key limit ${PAGE}`;

async function keysOf(
  query: Query,
  owner: string,
  target: { readonly ids: readonly string[] } | { readonly text: string },
): Promise<string[]> {
  if ("ids" in target) return [...identitiesIn(target.ids)].map(toStorable);
  const text = nonBlank(target.text);
  const found = await query<{ id: string }>(ARTIFACTS_WITH, [owner, toStorable(text)]);
  const withText = found.map(({ id }) => id);
  const matches = purgeMatcher(target, new Set(withText));
  const inJson = JSON.stringify(text).slice(1, -1);
  const keys: string[] = [];
  let last = "";
  for (;;) {
    type Row = EventRow & { readonly key: string };
    const rows = await query<Row>(MAY_MENTION, [owner, last, inJson, withText]);
    keys.push(...rows.filter(({ event }) => matches(event)).map(({ key }) => key));
    if (rows.length < PAGE) return keys;
    last = rows.at(-1)?.key ?? last;
  }
}

const EXPIRE_EVENTS =
  "select p_events::float8 as count, p_bytes::float8 as bytes from sentinel.expire_events($1, $2, $3, $4)";
const EXPIRE_ARTIFACTS =
  "select p_artifacts::float8 as count, p_bytes::float8 as bytes from sentinel.expire_artifacts($1, $2, $3, $4, $5)";

/** Deletes whole days of events, then the longest unused artifacts. After a failure, the next call continues. */
export async function retain(
  database: Database,
  limits: RetentionLimits,
  now: number,
): Promise<Retained> {
  const { tenant, owner, channel } = database.identity;
  const expire = async (sql: string, ...values: readonly unknown[]) => {
    type Gone = { readonly count: number; readonly bytes: number };
    const [gone] = await database.call<Gone>(sql, [tenant, owner, channel, ...values]);
    return gone ?? { count: 0, bytes: 0 };
  };
  let events = 0;
  let bytes = 0;
  const firstDay = firstDayToKeep(limits, now);
  while (firstDay !== "") {
    const gone = await expire(EXPIRE_EVENTS, `${firstDay}T00:00:00Z`);
    if (gone.count === 0) break;
    events += gone.count;
    bytes += gone.bytes;
  }
  const unusedSince = new Date(now - limits.artifactsDays * DAY_MS).toISOString();
  const artifacts = await expire(EXPIRE_ARTIFACTS, unusedSince, limits.artifactsBytes);
  return { events, artifacts: artifacts.count, bytes: bytes + artifacts.bytes };
}
