/** Prepares and stores events, with their chunks and artifacts (docs/design/daemon.md, "The session log on PostgreSQL"). */
import { randomBytes } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import { countEach } from "../../ground/core/count-each.ts";
import type { ResultOf, Steps } from "../../ground/core/steps.ts";
import { DAY_MS, dateOf } from "../../ground/core/time.ts";
import { inTurns } from "../../ground/files/in-turns.ts";
import { tokenize } from "../../ground/search/tokenizer.ts";
import {
  type Event,
  type EventDraft,
  IDENTITY_BYTES,
  identityFrom,
  identityIn,
  isOwn,
} from "../../sessions/kinds/event.ts";
import { checkDraft, readTime } from "../../sessions/storing/check-draft.ts";
import { chunksOf } from "../../sessions/storing/chunks.ts";
import { type Circumstances, type Prepared, prepareInSteps } from "../../sessions/storing/prepare.ts";
import type { Database, Identity } from "./database.ts";
import { rowOf } from "./event-row.ts";
import { findEvents } from "./read-events.ts";
import { toStorable } from "./storable-text.ts";
import { termNumbers } from "./term-number.ts";

/** Events of one person: lists in one order, and rows of tables in JSON. */
export type Batch = ResultOf<typeof batchOf>;
/** Stores them. @returns the keys that are refused, and with `=` before them those that were stored already. */
export type Append = (batch: Batch) => Promise<readonly string[]>;

/** Before a key that was stored already. */
const KNOWN = "=";

/** Events of one call of the database. While it stores them, the next ones are prepared, and other callers have their turn. */
const AT_ONCE = 100;

/** @returns the events in the order of the drafts; undefined for one that was purged. */
export async function appendEvents(
  database: Database,
  drafts: readonly EventDraft[],
  { redactor, now, append }: Pick<Circumstances, "redactor" | "now"> & { readonly append: Append },
): Promise<readonly (Event | undefined)[]> {
  for (const draft of drafts) checkDraft(draft);
  const random = randomBytes(IDENTITY_BYTES * drafts.length);
  const stored: (Event | undefined)[] = [];
  let storing: Promise<readonly (Event | undefined)[]> = Promise.resolve([]);
  for (let first = 0; first < drafts.length; first += AT_ONCE) {
    const some = drafts.slice(first, first + AT_ONCE);
    const bytes = random.subarray(IDENTITY_BYTES * first);
    const prepared = await inTurns(prepareAll(some, { redactor, now, random: bytes }));
    const batch = await inTurns(batchOf(prepared, database, now));
    stored.push(...(await storing));
    storing = append(batch).then((refused) => storedOf(prepared, refused, database));
    // It is awaited below, where it may have failed long since.
    storing.catch(() => undefined);
    // What is on its way to the database leaves this process only now.
    if (first + AT_ONCE < drafts.length) await Promise.race([storing, nextTurn()]);
  }
  return [...stored, ...(await storing)];
}

function* prepareAll(drafts: readonly EventDraft[], { random, ...more }: Circumstances): Steps<readonly Prepared[]> {
  const prepared: Prepared[] = [];
  for (const [at, draft] of drafts.entries()) {
    prepared.push(
      yield* prepareInSteps(inTime(draft, more.now), { ...more, random: random.subarray(IDENTITY_BYTES * at) }),
    );
    yield;
  }
  return prepared;
}

/** A clock that is more than a day ahead is wrong, and its event would stand first for everybody until then: it is from now. */
function inTime(draft: EventDraft, now: number): EventDraft {
  const { ts, ...others } = draft;
  return ts !== undefined && readTime("ts", ts) > now + DAY_MS ? others : draft;
}

/** @returns each event as it is stored now: one that was known before, as it was then, if its reader may see that. */
async function storedOf(prepared: readonly Prepared[], refused: readonly string[], database: Database) {
  const stored = new Map<string, Event>();
  for (const { event } of earliestOfEach(prepared)) stored.set(identityIn(event.id), event);
  const known: string[] = [];
  for (const key of refused) {
    const event = stored.get(key.replace(KNOWN, ""));
    if (event && stored.delete(identityIn(event.id)) && key.startsWith(KNOWN)) known.push(event.id);
  }
  for (const event of (await findEvents(database, known)).filter(isOwn)) stored.set(identityIn(event.id), event);
  return prepared.map(({ event }) => stored.get(identityIn(event.id)));
}

/** Makes the batch that `append_events` takes. @param now ms since 1970. */
function* batchOf(prepared: readonly Prepared[], { identity }: Database, now: number) {
  const events = earliestOfEach(prepared);
  const rows = events.map(rowOf);
  const chunks: ReturnType<typeof chunkRows>[] = [];
  for (const { event } of events) {
    chunks.push(chunkRows(event, identity));
    yield;
  }
  return {
    tenant: identity.tenant,
    owner: identity.owner,
    channel: identity.channel,
    keys: rows.map(({ key }) => key),
    times: rows.map(({ ts }) => ts),
    channels: rows.map(({ channel }) => channel),
    sessions: rows.map(({ session }) => session),
    events: JSON.stringify(rows),
    chunks: JSON.stringify(chunks.flat()),
    artifacts: JSON.stringify(events.flatMap(artifactRows)),
    now: new Date(now).toISOString(),
  };
}

/** What one batch holds twice. */
function earliestOfEach(prepared: readonly Prepared[]): readonly Prepared[] {
  const earliest = new Map<string, Prepared>();
  for (const one of prepared) {
    const key = identityIn(one.event.id);
    const known = earliest.get(key);
    if (known === undefined || one.event.id < known.event.id) earliest.set(key, one);
  }
  return [...earliest.values()];
}

function chunkRows(event: Event, identity: Identity) {
  const numberOf = termNumbers(identity, event.channel);
  let ends = 0;
  return chunksOf(event).map(({ text }, at) => {
    const terms = tokenize(text);
    const counts = countEach(terms);
    const repeated = [...counts].filter(([, count]) => count > 1);
    const starts = ends;
    ends += text.length;
    return {
      owner: identity.owner,
      ts: event.ts,
      key: identityIn(event.id),
      part: at + 1,
      channel: event.channel,
      session: toStorable(event.session),
      starts,
      ends,
      length: terms.length,
      terms: listOf(counts.keys(), numberOf),
      repeated: listOf(repeated, ([term]) => numberOf(term)),
      frequencies: listOf(repeated, ([, count]) => String(count)),
    };
  });
}

/** A list of numbers as the database writes one, which it reads faster than JSON. */
function listOf<Item>(items: Iterable<Item>, numberOf: (item: Item) => string): string {
  return `{${Array.from(items, numberOf).join(",")}}`;
}

function artifactRows({ event, artifacts }: Prepared) {
  const of = { key: identityIn(event.id), channel: event.channel };
  return [...artifacts].map(([id, text]) => ({ ...of, id, text: toStorable(text) }));
}

const STORED = `select key, to_char(ts at time zone 'UTC', 'YYYY-MM-DD') as day from sentinel.event_keys
  where key = any ($1) and owner = $2 and ts is not null`;

/** The drafts that the store does not hold on their day. @throws SentinelError `bad_argument`, as an append of them does. */
export async function draftsNotStored(
  database: Database,
  drafts: readonly EventDraft[],
): Promise<readonly EventDraft[]> {
  for (const draft of drafts) checkDraft(draft);
  const keys = drafts.flatMap(({ origin }) => (origin === undefined ? [] : identityFrom(origin)));
  const rows = await database.reading((read) =>
    read<{ key: string; day: string }>(STORED, [keys, database.identity.owner]),
  );
  const stored = new Set(rows.map(({ key, day }) => `${key} ${day}`));
  return drafts.filter(({ origin, ts }) => {
    if (origin === undefined || ts === undefined) return true;
    return !stored.has(`${identityFrom(origin)} ${dateOf(new Date(ts).toISOString())}`);
  });
}
