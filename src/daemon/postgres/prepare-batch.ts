/** What is stored of drafts: events without secrets, their chunks with the terms of the index, and artifacts. */
import { countEach } from "../../ground/core/count-each.ts";
import type { Steps } from "../../ground/core/steps.ts";
import { DAY_MS } from "../../ground/core/time.ts";
import { tokenize } from "../../ground/search/tokenizer.ts";
import { type Event, type EventDraft, IDENTITY_BYTES, identityIn } from "../../sessions/kinds/event.ts";
import { readTime } from "../../sessions/storing/check-draft.ts";
import { chunksOf } from "../../sessions/storing/chunks.ts";
import { type Circumstances, type Prepared, prepareInSteps } from "../../sessions/storing/prepare.ts";
import type { Identity } from "./database.ts";
import { rowOf } from "./event-row.ts";
import { toStorable } from "./storable-text.ts";
import { termNumbers } from "./term-number.ts";

/** Drafts of one person, and what they leave open. */
export interface Unprepared extends Omit<Circumstances, "redactor"> {
  readonly drafts: readonly EventDraft[];
  /** As the database writes it. */
  readonly identity: Identity;
}

/** Events of one person: lists in one order, and rows of tables in JSON. */
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

export interface PreparedBatch {
  /** In the order of the drafts; of one identity there may be several. */
  readonly events: readonly Event[];
  readonly batch: Batch;
}

/** @throws SentinelError `bad_argument` for a draft that is not one. */
export function* prepareBatch(
  { drafts, identity, now, random }: Unprepared,
  redactor: Circumstances["redactor"],
): Steps<PreparedBatch> {
  const prepared: Prepared[] = [];
  for (const [at, draft] of drafts.entries()) {
    const circumstances = { redactor, now, random: random.subarray(IDENTITY_BYTES * at) };
    prepared.push(yield* prepareInSteps(inTime(draft, now), circumstances));
    yield;
  }
  const batch = yield* batchOf(prepared, identity, now);
  return { events: prepared.map(({ event }) => event), batch };
}

/** A clock that is more than a day ahead is wrong, and its event would stand first for everybody until then: it is from now. */
function inTime(draft: EventDraft, now: number): EventDraft {
  const { ts, ...others } = draft;
  return ts !== undefined && readTime("ts", ts) > now + DAY_MS ? others : draft;
}

/** Makes the batch that `append_events` takes. @param now ms since 1970. */
function* batchOf(prepared: readonly Prepared[], identity: Identity, now: number): Steps<Batch> {
  const earliest = new Set(earliestOfEach(prepared.map(({ event }) => event)));
  const stored = prepared.filter(({ event }) => earliest.has(event));
  const rows = stored.map(rowOf);
  const chunks: ReturnType<typeof chunkRows>[] = [];
  for (const { event } of stored) {
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
    artifacts: JSON.stringify(stored.flatMap(artifactRows)),
    now: new Date(now).toISOString(),
  };
}

/** One event of each identity, because a batch may hold it twice. */
export function earliestOfEach(events: readonly Event[]): readonly Event[] {
  const earliest = new Map<string, Event>();
  for (const event of events) {
    const key = identityIn(event.id);
    const known = earliest.get(key);
    if (known === undefined || event.id < known.id) earliest.set(key, event);
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
