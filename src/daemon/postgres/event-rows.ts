/** Rows of events. A reader doesn't get ids that they may not see (docs/design/daemon.md, "Who sees what"). */
import { type Content, type Event, identityIn, type Json } from "../../sessions/kinds/event.ts";
import { textsIn } from "../../sessions/kinds/kind.ts";
import { ID_FIELDS } from "../../sessions/kinds/kinds.ts";
import { narrowed } from "../../sessions/kinds/narrow.ts";
import { artifactsOf } from "../../sessions/storing/event-texts.ts";
import { eventNamed, isId } from "../../sessions/storing/named-ids.ts";
import type { Identity, Query } from "./database.ts";
import { toStorable } from "./storable-text.ts";

export const EVENT_COLUMNS = "owner, seq::float8 as seq, event";

export interface EventRow {
  readonly owner: string;
  /** Orders events of one millisecond. */
  readonly seq: number;
  readonly event: Event;
}

/** Returns a row for `append_events`. @param n its place in the batch. */
export function rowOf(event: Event, n: number) {
  return {
    n,
    key: identityIn(event.id),
    ts: event.ts,
    session: toStorable(event.session),
    channel: event.channel,
    kind: event.kind,
    refs: event.refs.map(toStorable),
    tags: event.tags.map(toStorable),
    artifacts: artifactsOf(event),
    event: JSON.stringify(event),
  };
}

type StoredEvent = Pick<EventRow, "owner" | "event">;

/**
 * Returns the rows of a statement, with their events as this reader sees them.
 * @param sql selects the owner and the event, and more columns for the caller.
 */
export async function readRows<Row extends StoredEvent>(
  read: Query,
  reader: Identity,
  sql: string,
  values: readonly unknown[],
): Promise<Row[]> {
  const rows = await read<Row>(sql, values);
  const restricted = rows.filter((row) => !seesAll(reader, row));
  const seen = await seenAmong(
    read,
    restricted.flatMap(({ event }) => idsIn(event)),
  );
  return rows.map((row) => ({ ...row, event: eventFor(reader, row, seen) }));
}

const seesAll = (reader: Identity, { owner }: StoredEvent): boolean =>
  owner === reader.owner && reader.channel === "private";

/** Returns an event without the ids that its reader may not see. If another person recorded it, the event includes their name. */
function eventFor(reader: Identity, row: StoredEvent, seen: ReadonlyMap<string, boolean>): Event {
  const event = narrowed(row.event);
  if (seesAll(reader, row)) {
    return event;
  }
  const isOwn = row.owner === reader.owner;
  const shown = withoutIds(event, (id) => {
    const isForTeam = seen.get(nameOf(id));
    return isForTeam === undefined || !(isOwn || isForTeam);
  });
  return isOwn ? shown : { ...shown, person: row.owner };
}

const SEEN = `select key as id, bool_or(channel in ('team', 'public')) as shared from sentinel.events where key = any ($1) group by key
  union all select id, bool_or(channel in ('team', 'public')) from sentinel.artifacts where id = any ($1) group by id`;

/** Returns the names that the reader may see, each with whether the team sees it, too. */
async function seenAmong(
  read: Query,
  ids: readonly string[],
): Promise<ReadonlyMap<string, boolean>> {
  const names = [...new Set(ids.map(nameOf))];
  if (names.length === 0) {
    return new Map();
  }
  const seen = await read<{ id: string; shared: boolean }>(SEEN, [names]);
  return new Map(seen.map(({ id, shared }) => [id, shared]));
}

/** Returns the key of an event or chunk, or the id of an artifact. */
const nameOf = (id: string): string => (id.startsWith("art_") ? id : identityIn(eventNamed(id)));

function idsIn({ refs, content }: { refs: readonly string[]; content: Content }): string[] {
  return [...refs, ...[...ID_FIELDS].flatMap((field) => textsIn(content[field]))].filter(isId);
}

function withoutIds(event: Event, isHidden: (id: string) => boolean): Event {
  if (!idsIn(event).some(isHidden)) {
    return event;
  }
  const isShown = (text: string) => !isId(text) || !isHidden(text);
  const fields: [string, Json | undefined][] = [];
  for (const [field, value] of Object.entries(event.content)) {
    if (!ID_FIELDS.has(field) || textsIn(value).every(isShown)) {
      fields.push([field, value]);
      continue;
    }
    const texts = typeof value === "string" ? [] : textsIn(value).filter(isShown);
    if (texts.length > 0) {
      fields.push([field, texts]);
    }
  }
  const content = Object.fromEntries(fields);
  return { ...event, refs: event.refs.filter(isShown), content } as Event;
}
