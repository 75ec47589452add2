/** Counts the events that a reader may see. This reads all of them. */
import type { Statistics } from "../../sessions/store.ts";
import { REDACTED } from "../../sessions/storing/redact-draft.ts";
import type { Database } from "./database.ts";

const EVENTS = `select count(*)::float8 as events, coalesce(sum(pg_column_size(events.*)), 0)::float8 as bytes,
    count(distinct (ts at time zone 'UTC')::date)::float8 as days
  from sentinel.events`;
const REDACTED_KINDS = `select tag, count(*)::float8 as count from sentinel.events, unnest(tags) as tag
  where starts_with(tag, $1) group by tag order by tag`;
const ARTIFACTS = `select coalesce(sum(pg_column_size(text)), 0)::float8 as bytes from sentinel.artifacts`;
const OTHERS = `select (select count(*)::float8 from sentinel.event_keys where owner = $1 and ts is null) as purged,
  (select coalesce(sum(chunks), 0)::float8 from sentinel.chunk_totals) as chunks`;

interface EventCounts {
  readonly events: number;
  readonly bytes: number;
  readonly days: number;
}

export function statisticsOf(database: Database): Promise<Statistics> {
  return database.reading(async (read) => {
    const [events] = await read<EventCounts>(EVENTS);
    const tags = await read<{ tag: string; count: number }>(REDACTED_KINDS, [REDACTED]);
    const [artifacts] = await read<{ bytes: number }>(ARTIFACTS);
    const [others] = await read<{ purged: number; chunks: number }>(OTHERS, [
      database.identity.owner,
    ]);
    return {
      events: events?.events ?? 0,
      bytes: events?.bytes ?? 0,
      artifactBytes: artifacts?.bytes ?? 0,
      days: events?.days ?? 0,
      damaged: 0,
      redacted: Object.fromEntries(
        tags.map(({ tag, count }) => [tag.slice(REDACTED.length), count]),
      ),
      purged: others?.purged ?? 0,
      // Every stored event is indexed.
      indexed: { chunks: others?.chunks ?? 0, missingBytes: 0 },
    };
  });
}
