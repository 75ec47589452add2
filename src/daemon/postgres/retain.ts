/** Deletes expired events and artifacts of a person (docs/design/daemon.md, "Purging"). */
import type { Retained, RetentionLimits } from "../../sessions/store.ts";
import { artifactsOver, firstDayToKeep } from "../../sessions/storing/removal.ts";
import type { Database } from "./database.ts";

const EXPIRE_EVENTS =
  "select p_events::float8 as count, p_bytes::float8 as bytes from sentinel.expire_events($1, $2, $3, $4)";
const DAY_AFTER_OLDEST = `select to_char((min(ts) at time zone 'UTC')::date + 1, 'YYYY-MM-DD') as next from sentinel.events
  where owner = $1 and ts < $2::date::timestamp at time zone 'UTC'`;
const EXPIRE_ARTIFACTS = `select p_artifacts::float8 as count, p_bytes::float8 as bytes
  from sentinel.expire_artifacts($1, $2, $3, $4::text[], $5::timestamptz[])`;
const ARTIFACTS = `select id, used_at, pg_column_size(text) as bytes from sentinel.artifacts where owner = $1 order by used_at`;

interface Gone {
  readonly count: number;
  readonly bytes: number;
}
const NONE: Gone = { count: 0, bytes: 0 };

/** Deletes whole days of events, then the longest unused artifacts. After a failure, the next call continues. */
export async function retain(
  database: Database,
  limits: RetentionLimits,
  now: number,
): Promise<Retained> {
  const from = firstDayToKeep(limits, now);
  const events = from === "" ? NONE : await expireDays(database, from);
  const artifacts = await expireArtifacts(database, limits, now);
  return {
    events: events.count,
    artifacts: artifacts.count,
    bytes: events.bytes + artifacts.bytes,
  };
}

/** Deletes one day per statement, because statements have a time limit. @param end the first day that stays. */
async function expireDays(database: Database, end: string): Promise<Gone> {
  const { tenant, owner, channel } = database.identity;
  let [count, bytes] = [0, 0];
  for (;;) {
    const [oldest] = await database.reading((read) =>
      read<{ next: string | null }>(DAY_AFTER_OLDEST, [owner, end]),
    );
    if (!oldest?.next) return { count, bytes };
    const before = `${oldest.next}T00:00:00Z`;
    const [gone = NONE] = await database.call<Gone>(EXPIRE_EVENTS, [
      tenant,
      owner,
      channel,
      before,
    ]);
    // Another daemon is already deleting these events.
    if (gone.count === 0) return { count, bytes };
    count += gone.count;
    bytes += gone.bytes;
  }
}

function expireArtifacts(database: Database, limits: RetentionLimits, now: number): Promise<Gone> {
  const { tenant, owner, channel } = database.identity;
  return database.writing(async (query) => {
    const stored = await query<{ id: string; used_at: Date; bytes: number }>(ARTIFACTS, [owner]);
    const over = artifactsOver(
      stored.map(({ used_at, ...artifact }) => ({ ...artifact, usedAt: used_at.getTime() })),
      limits,
      now,
    );
    const [gone = NONE] = await query<Gone>(EXPIRE_ARTIFACTS, [
      tenant,
      owner,
      channel,
      over.map(({ id }) => id),
      over.map(({ usedAt }) => new Date(usedAt).toISOString()),
    ]);
    return gone;
  });
}
