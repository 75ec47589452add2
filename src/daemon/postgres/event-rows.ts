/**
 * Events and the rows of the database: turns drafts into the rows to store, reads rows as events without the ids that their reader may not
 * see, and searches their chunks (docs/design/daemon.md, "Who sees what" and "The session log on PostgreSQL").
 */
import { hash } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import { countEach, groupBy } from "../../ground/core/collections.ts";
import { DAY_MS } from "../../ground/core/time.ts";
import { tokenize } from "../../ground/search/tokenizer.ts";
import {
  type Channel,
  type Content,
  type Event,
  type EventDraft,
  earliestOfEach,
  eventText,
  identityIn,
  type Json,
} from "../../sessions/kinds/event.ts";
import { textsIn } from "../../sessions/kinds/kind.ts";
import { ID_FIELDS } from "../../sessions/kinds/kinds.ts";
import { narrowed } from "../../sessions/kinds/narrow.ts";
import {
  type FoundChunk,
  MOST_HITS,
  type SearchHit,
  type SearchQuery,
  type SearchResult,
} from "../../sessions/store.ts";
import { readTime } from "../../sessions/storing/check-draft.ts";
import {
  type Chunk,
  chunkId,
  chunksOf,
  READ_BESIDE,
  saidFirst,
} from "../../sessions/storing/chunks.ts";
import { artifactsOf } from "../../sessions/storing/event-texts.ts";
import { eventNamed, isId } from "../../sessions/storing/named-ids.ts";
import { type Prepared, prepare } from "../../sessions/storing/prepare.ts";
import type { Redactor } from "../../sessions/storing/redactor.ts";
import type { Database, Identity, Query } from "./database.ts";
import { fromStorable, toStorable } from "./storable-text.ts";

export const EVENT_COLUMNS = "owner, seq::float8 as seq, event";

export interface EventRow {
  readonly owner: string;
  /** Orders events of one millisecond. */
  readonly seq: number;
  readonly event: Event;
}

/** Drafts of one person, with the values that drafts lack. */
export interface Unprepared {
  readonly drafts: readonly EventDraft[];
  /** In the database's format. */
  readonly identity: Identity;
  /** Ms since 1970. */
  readonly now: number;
}

export interface PreparedBatch {
  /** In the order of the drafts. Several may have the same identity. */
  readonly events: readonly Event[];
  /** The arguments of `append_events`, without the token. */
  readonly batch: readonly unknown[];
}

/** Prepares a batch. Other work can run between drafts, so a long batch doesn't block it. @throws SentinelError `bad_argument` for an invalid draft. */
export async function prepareBatch(
  { drafts, identity, now }: Unprepared,
  redactor: Redactor,
): Promise<PreparedBatch> {
  const prepared: Prepared[] = [];
  for (const [at, draft] of drafts.entries()) {
    if (at > 0) {
      await nextTurn();
    }
    prepared.push(prepare(inTime(draft, now), redactor, now));
  }
  const batch = batchOf(prepared, identity, now);
  return { events: prepared.map(({ event }) => event), batch };
}

/** Gives an event from more than a day ahead the current time. Otherwise it would be the newest event until then. */
function inTime(draft: EventDraft, now: number): EventDraft {
  const { ts, ...others } = draft;
  return ts !== undefined && readTime("ts", ts) > now + DAY_MS ? others : draft;
}

/** The events as lists in the same order, and as table rows in JSON. @param now ms since 1970. */
function batchOf(
  prepared: readonly Prepared[],
  identity: Identity,
  now: number,
): PreparedBatch["batch"] {
  const earliest = new Set(earliestOfEach(prepared.map(({ event }) => event)));
  const stored = prepared.filter(({ event }) => earliest.has(event));
  const rows = stored.map(({ event }, n) => rowOf(event, n));
  return [
    identity.tenant,
    identity.owner,
    identity.channel,
    rows.map(({ key }) => key),
    rows.map(({ channel }) => channel),
    rows.map(({ session }) => session),
    JSON.stringify(rows),
    JSON.stringify(stored.flatMap((one) => chunkRows(one, identity))),
    JSON.stringify(stored.flatMap(artifactRows)),
    new Date(now).toISOString(),
  ];
}

/** Returns a row for `append_events`. @param n its place in the batch. */
function rowOf(event: Event, n: number) {
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

function chunkRows({ event, artifacts }: Prepared, identity: Identity) {
  const placeOf = placesIn(artifacts);
  const hashOf = termHash(identity, event.channel);
  const rows = [];
  for (const [at, chunk] of chunksOf(event, (id) => artifacts.get(id)).entries()) {
    const terms = tokenize(chunk.text);
    const counts = countEach(terms);
    const repeated = [...counts].filter(([, count]) => count > 1);
    rows.push({
      ts: event.ts,
      key: identityIn(event.id),
      part: at + 1,
      channel: event.channel,
      session: toStorable(event.session),
      ...placeOf(chunk),
      length: terms.length,
      terms: [...counts.keys()].map(hashOf),
      repeats: Object.fromEntries(repeated.map(([term, count]) => [hashOf(term), count])),
    });
  }
  return rows;
}

/** Finds each chunk's place. Places are UTF-16 units in an event's text, and characters in an artifact, because the database counts characters. */
function placesIn(artifacts: Prepared["artifacts"]) {
  const ends = new Map<string | null, number>();
  return ({ text, hidden }: Chunk) => {
    const artifact = hidden?.artifact ?? null;
    const before =
      hidden === undefined ? "" : (artifacts.get(hidden.artifact)?.slice(0, hidden.start) ?? "");
    const starts = ends.get(artifact) ?? charactersOf(before);
    const end = starts + (hidden === undefined ? text.length : charactersOf(text));
    ends.set(artifact, end);
    return { artifact, starts, ends: end };
  };
}

const SURROGATE_PAIR = /[\ud800-\udbff][\udc00-\udfff]/g;

/** Counts the characters of a text as it's stored. */
function charactersOf(text: string): number {
  const stored = toStorable(text);
  return stored.length - (stored.match(SURROGATE_PAIR)?.length ?? 0);
}

function artifactRows({ event, artifacts }: Prepared) {
  const of = { key: identityIn(event.id), channel: event.channel };
  return [...artifacts].map(([id, text]) => ({ ...of, id, text: toStorable(text) }));
}

/** 66 bits, in base64url, so no sign in it has a meaning in a tsquery. */
const HASH_LENGTH = 11;

/**
 * Returns a function that hashes a term, because the database keeps a deleted term in its index for a while. The hash depends on the tenant,
 * and on the owner in channels that only they read, so a search never reads another owner's terms.
 */
function termHash({ tenant, owner }: Pick<Identity, "tenant" | "owner">, channel: Channel) {
  const isForAll = channel === "public" || channel === "team";
  const readers = JSON.stringify(isForAll ? [tenant] : [tenant, owner]);
  return (term: string) => hash("sha256", readers + term, "base64url").slice(0, HASH_LENGTH);
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

const DEFAULT_HITS = 10;
/** The most terms of a query to look up. Each takes PostgreSQL a fraction of a millisecond. */
const MOST_TERMS = 1_000;
/** The most matches to score, counted per term and chunk. Rare terms are read first. */
const MOST_MATCHES = 10_000;
/** The most bytes of event content in one answer. */
const MOST_BYTES = 8 * 1024 * 1024;

const TOTALS = `select coalesce(sum(chunks), 0)::float8 as chunks,
  coalesce(sum(length) / nullif(sum(chunks), 0), 0)::float8 as length from sentinel.chunk_totals`;
const RANK =
  "select * from sentinel.search_chunks($1, $2, $3, $4::text[], $5::text[], $6, $7, $8, $9)";
const PARTS = "select * from sentinel.chunks_named($1, $2, $3)";

/** A row of `search_chunks`. `chunks_named` accepts it unchanged. */
interface Ranked {
  readonly is_cut: boolean;
  readonly score: number;
}

interface Part extends Omit<EventRow, "seq"> {
  /** The place of the hit in the answer, from 1. */
  readonly n: number;
  readonly side: "hit" | "before" | "after";
  readonly part: number;
  readonly starts: number;
  readonly ends: number;
  /** The text of a part that its event doesn't show. Null if the part is in the event's text, from `starts` to `ends`. */
  readonly hidden: string | null;
}

export function searchLog(
  database: Database,
  { text, limit = DEFAULT_HITS, withNeighbours = false }: SearchQuery,
): Promise<SearchResult> {
  const { tenant, owner, channel } = database.identity;
  const most = Math.min(limit, MOST_HITS);
  const asked = [...new Set(tokenize(text))];
  const terms = asked.slice(0, MOST_TERMS);
  const shared = terms.map(termHash(database.identity, "team"));
  const own = terms.map(termHash(database.identity, "private"));
  return database.reading(async (read) => {
    const [totals] = await read<{ chunks: number; length: number }>(TOTALS, []);
    const { chunks = 0, length = 0 } = totals ?? {};
    const wanted = most + READ_BESIDE;
    // In the order of the function's arguments in schema.sql.
    const query = [tenant, owner, channel, shared, own, chunks, length, wanted, MOST_MATCHES];
    const ranked = await read<Ranked>(RANK, query);
    const named = [JSON.stringify(ranked), withNeighbours, MOST_BYTES];
    const parts = await readRows<Part>(read, database.identity, PARTS, named);
    const hits = hitsOf(parts, ranked);
    const hasUnreadTerms = ranked[0]?.is_cut === true || asked.length > terms.length;
    const hasUnreadHits = hits.length < ranked.length;
    const hasTooManyHits = limit > MOST_HITS && hits.length >= MOST_HITS;
    return {
      hits: saidFirst(hits, most),
      chunks,
      notIndexed: { days: [], bytes: 0 },
      isCut: hasUnreadTerms || hasUnreadHits || hasTooManyHits,
    };
  });
}

/** Returns the hits in their order, each with the chunks before and after it. */
function hitsOf(parts: readonly Part[], ranked: readonly Ranked[]): SearchHit[] {
  const hits: SearchHit[] = [];
  for (const [n, around] of groupBy(parts, (part) => part.n)) {
    const chunkOn = (side: Part["side"]) => {
      const part = around.find((one) => one.side === side);
      return part && chunkOf(part);
    };
    const hit = chunkOn("hit");
    const score = ranked[n - 1]?.score ?? 0;
    if (hit) {
      hits.push({ ...hit, score, before: chunkOn("before"), after: chunkOn("after") });
    }
  }
  return hits;
}

function chunkOf(row: Part): FoundChunk {
  const { event, part, hidden, starts, ends } = row;
  const text = hidden === null ? eventText(event).slice(starts, ends) : fromStorable(hidden);
  return { id: chunkId(event.id, part), event, text };
}
