/** Turns drafts into the rows to store: redacted events, their chunks with search terms, and artifacts. */
import { hash } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import { countEach } from "../../ground/core/collections.ts";
import { DAY_MS } from "../../ground/core/time.ts";
import { tokenize } from "../../ground/search/tokenizer.ts";
import {
  type Channel,
  type Event,
  type EventDraft,
  earliestOfEach,
  identityIn,
} from "../../sessions/kinds/event.ts";
import { readTime } from "../../sessions/storing/check-draft.ts";
import { type Chunk, chunksOf } from "../../sessions/storing/chunks.ts";
import { type Prepared, prepare } from "../../sessions/storing/prepare.ts";
import type { Redactor } from "../../sessions/storing/redactor.ts";
import type { Identity } from "./database.ts";
import { rowOf } from "./event-rows.ts";
import { toStorable } from "./storable-text.ts";

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
export function termHash({ tenant, owner }: Pick<Identity, "tenant" | "owner">, channel: Channel) {
  const isForAll = channel === "public" || channel === "team";
  const readers = JSON.stringify(isForAll ? [tenant] : [tenant, owner]);
  return (term: string) => hash("sha256", readers + term, "base64url").slice(0, HASH_LENGTH);
}
