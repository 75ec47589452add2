/** Drops what a person recorded and is over its time or limit (DESIGN.md, "The record on Postgres"). */
import { dateOf } from "../core/time.ts";
import { artifactsOver, eventsStayFrom } from "../events/retention.ts";
import type { Retained, RetentionLimits } from "../events/store.ts";
import type { Database } from "./database.ts";

const EXPIRE_EVENTS =
  "select p_events::float8 as count, p_bytes::float8 as bytes from sentinel.expire_events($1, $2, $3, $4)";
const EXPIRE_ARTIFACTS = `select p_artifacts::float8 as count, p_bytes::float8 as bytes
  from sentinel.expire_artifacts($1, $2, $3, $4::text[], $5::timestamptz[])`;
const ARTIFACTS = `select id, used_at, pg_column_size(text) as bytes from sentinel.artifacts where owner = $1 order by used_at`;

interface Gone {
  readonly count: number;
  readonly bytes: number;
}
const NONE: Gone = { count: 0, bytes: 0 };

/** Whole days of events, then artifacts, the longest unused first. */
export function retain(database: Database, limits: RetentionLimits, now: number): Promise<Retained> {
  const { tenant, owner, channel } = database.identity;
  return database.writing(async (query) => {
    const from = eventsStayFrom(limits, now);
    const before = from && `${dateOf(from)}T00:00:00Z`;
    const [events = NONE] = before ? await query<Gone>(EXPIRE_EVENTS, [tenant, owner, channel, before]) : [];
    const stored = await query<{ id: string; used_at: Date; bytes: number }>(ARTIFACTS, [owner]);
    const over = artifactsOver(
      stored.map(({ used_at, ...artifact }) => ({ ...artifact, usedAt: used_at.getTime() })),
      limits,
      now,
    );
    const [artifacts = NONE] = await query<Gone>(EXPIRE_ARTIFACTS, [
      tenant,
      owner,
      channel,
      over.map(({ id }) => id),
      over.map(({ usedAt }) => new Date(usedAt).toISOString()),
    ]);
    return { events: events.count, artifacts: artifacts.count, bytes: events.bytes + artifacts.bytes };
  });
}
