/** Stores prepared events in one call, with their chunks and artifacts (DESIGN.md, "The record on Postgres"). */
import { chunksOf } from "../events/chunks.ts";
import type { Event } from "../events/event.ts";
import { identityIn } from "../events/event-id.ts";
import type { Prepared } from "../events/prepare.ts";
import { tokenize } from "../search/tokenizer.ts";
import type { Database } from "./database.ts";
import { rowOf } from "./event-row.ts";
import { toStorable } from "./storable-text.ts";
import { readersOf, type TermNumbers } from "./term-number.ts";

const APPEND = `select sentinel.append_events($1, $2, $3::text[], $4::timestamptz[], $5::text[], $6::text[], $7::json, $8::json,
  $9::json, $10::timestamptz) as refused`;

/**
 * @param now ms since 1970.
 * @returns the events in their order; undefined for one that was purged.
 */
export async function appendEvents(
  database: Database,
  prepared: readonly Prepared[],
  now: number,
): Promise<readonly (Event | undefined)[]> {
  const { identity, terms } = database;
  const events = earliestOfEach(prepared);
  const rows = events.map(rowOf);
  const [answer] = await database.call<{ refused: string[] }>(APPEND, [
    identity.tenant,
    identity.owner,
    rows.map(({ key }) => key),
    rows.map(({ ts }) => ts),
    rows.map(({ channel }) => channel),
    rows.map(({ session }) => session),
    JSON.stringify(rows),
    JSON.stringify(events.flatMap(({ event }) => chunkRows(event, terms))),
    JSON.stringify(prepared.flatMap(artifactRows)),
    new Date(now).toISOString(),
  ]);
  const refused = new Set(answer?.refused);
  return prepared.map(({ event }) => (refused.has(identityIn(event.id)) ? undefined : event));
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

function chunkRows(event: Event, numbers: TermNumbers) {
  const readers = readersOf(event.channel);
  let ends = 0;
  return chunksOf(event).map(({ text }, at) => {
    const terms = tokenize(text);
    const counts = new Map<string, number>();
    for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
    const repeated = [...counts].filter(([, count]) => count > 1);
    const starts = ends;
    ends += text.length;
    return {
      ts: event.ts,
      key: identityIn(event.id),
      part: at + 1,
      channel: event.channel,
      session: toStorable(event.session),
      starts,
      ends,
      length: terms.length,
      terms: [...counts.keys()].map((term) => numbers.of(term, readers)),
      repeated: repeated.map(([term]) => numbers.of(term, readers)),
      frequencies: repeated.map(([, count]) => count),
    };
  });
}

function artifactRows({ event, artifacts }: Prepared) {
  const of = { key: identityIn(event.id), channel: event.channel };
  return [...artifacts].map(([id, text]) => ({ ...of, id, text: toStorable(text) }));
}
