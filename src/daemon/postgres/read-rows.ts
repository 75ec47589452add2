/** Reads rows of events, and removes ids that their reader may not see (docs/design/daemon.md, "Who sees what"). */
import { type Content, identityIn, type Json } from "../../sessions/kinds/event.ts";
import { textsIn } from "../../sessions/kinds/kind.ts";
import { ID_FIELDS } from "../../sessions/kinds/kinds.ts";
import { eventNamed } from "../../sessions/storing/named-ids.ts";
import type { Identity, Query } from "./database.ts";
import type { ToldRow } from "./event-row.ts";

const SEEN = `select key as id, bool_or(channel in ('team', 'public')) as shared from sentinel.event_keys
    where key = any ($1) and ts is not null group by key
  union all select id, bool_or(channel in ('team', 'public')) from sentinel.artifacts where id = any ($1) group by id`;

/** @param sql selects `TOLD_COLUMNS`, and more columns for the caller. */
export async function readRows<Row extends ToldRow>(
  read: Query,
  { owner, channel }: Identity,
  sql: string,
  values: readonly unknown[],
): Promise<Row[]> {
  const rows = await read<Row>(sql, values);
  for (const row of rows) if (row.owner !== owner) row.person = row.owner;
  const hasAll = (row: Row) => row.owner === owner && channel === "private";
  const named = rows.map((row): [Row, string[]] => [row, hasAll(row) ? [] : idsIn(row)]);
  const naming = new Map(named.filter(([, ids]) => ids.length > 0));
  if (naming.size === 0) return rows;
  const isShared = await seenAmong(read, [...naming.values()].flat());
  const mayName = (row: Row, name: string) =>
    row.owner === owner ? isShared.has(name) : isShared.get(name) === true;
  return rows.map((row) =>
    naming.has(row) ? withoutUnseen(row, (id) => mayName(row, nameOf(id))) : row,
  );
}

/** Returns the names that the reader may see, each with whether the team sees it, too. */
async function seenAmong(
  read: Query,
  ids: readonly string[],
): Promise<ReadonlyMap<string, boolean>> {
  const names = [...new Set(ids.map(nameOf))];
  const seen = await read<{ id: string; shared: boolean }>(SEEN, [names]);
  return new Map(seen.map(({ id, shared }) => [id, shared]));
}

/** Returns the key of an event or chunk, or the id of an artifact. */
const nameOf = (id: string): string => (id.startsWith("art_") ? id : identityIn(eventNamed(id)));

function idsIn({ refs, content }: ToldRow): string[] {
  return [...refs, ...[...ID_FIELDS].flatMap((field) => textsIn(content[field]))].filter(isId);
}

const isId = (text: string): boolean => /^(evt|chk|art)_\w+$/.test(text);

function withoutUnseen<Row extends ToldRow>(row: Row, isSeen: (id: string) => boolean): Row {
  const isShown = (text: string) => !isId(text) || isSeen(text);
  return { ...row, refs: row.refs.filter(isShown), content: withIds(row.content, isShown) };
}

function withIds(content: Content, isShown: (text: string) => boolean): Content {
  const kept = Object.entries(content).flatMap(([field, value]): [string, Json | undefined][] => {
    if (!ID_FIELDS.has(field) || textsIn(value).every(isShown)) return [[field, value]];
    const texts = typeof value === "string" ? [] : textsIn(value).filter(isShown);
    return texts.length > 0 ? [[field, texts]] : [];
  });
  return Object.fromEntries(kept);
}
