/** Prepares and stores events, with their chunks and artifacts (docs/design/daemon.md, "The session log on PostgreSQL"). */
import {
  type Event,
  type EventDraft,
  earliestOfEach,
  identityIn,
  isOwn,
} from "../../sessions/kinds/event.ts";
import { checkDraft } from "../../sessions/storing/check-draft.ts";
import type { Redactor } from "../../sessions/storing/redactor.ts";
import { LARGE_BYTES } from "../worker-thread.ts";
import type { Database } from "./database.ts";
import { type PreparedBatch, prepareBatch, type Unprepared } from "./prepare-batch.ts";
import { findEvents } from "./read-events.ts";

const APPEND = `select sentinel.append_events($1, $2, $3, $4::text[], $5::text[], $6::text[], $7::json, $8::json, $9::json,
  $10::timestamptz, $11) as refused`;
/** Marks a key that was already stored. */
const KNOWN = "=";

export interface AppendParts {
  readonly redactor: Redactor;
  /** Prepares large batches in another thread with the same redactor. Absent if there is no thread. */
  readonly prepareLarge?: ((unprepared: Unprepared) => Promise<PreparedBatch>) | undefined;
  /** Ms since 1970. */
  readonly now: number;
  /** The id of the caller's token, which must not end before the events are stored. */
  readonly token?: string | undefined;
}

/** The number of events per statement. */
const AT_ONCE = 100;

/** @returns the events in the order of the drafts. Purged events are undefined. */
export async function appendEvents(
  database: Database,
  drafts: readonly EventDraft[],
  { redactor, prepareLarge, now, token }: AppendParts,
): Promise<readonly (Event | undefined)[]> {
  for (const draft of drafts) checkDraft(draft);
  const prepareHere = (unprepared: Unprepared) => prepareBatch(unprepared, redactor);
  const prepare = prepareLarge && areLarge(drafts) ? prepareLarge : prepareHere;
  const stored: (Event | undefined)[] = [];
  for (let first = 0; first < drafts.length; first += AT_ONCE) {
    const some = drafts.slice(first, first + AT_ONCE);
    const { events, batch } = await prepare({ drafts: some, identity: database.identity, now });
    const [row] = await database.call<{ refused: string[] }>(APPEND, [...batch, token]);
    stored.push(...(await storedOf(events, row?.refused ?? [], database)));
  }
  return stored;
}

/** Whether preparing these drafts takes so long that it would block other callers. */
function areLarge(drafts: readonly EventDraft[]): boolean {
  return JSON.stringify(drafts).length >= LARGE_BYTES;
}

/**
 * @param refused the refused keys, and with a `=` prefix the keys that were already stored.
 * @returns each event as stored. An event that was already stored is returned unchanged if the reader may see it.
 */
async function storedOf(events: readonly Event[], refused: readonly string[], database: Database) {
  const stored = new Map<string, Event>();
  for (const event of earliestOfEach(events)) stored.set(identityIn(event.id), event);
  const known: string[] = [];
  for (const mark of refused) {
    const key = mark.replace(KNOWN, "");
    const id = stored.get(key)?.id;
    stored.delete(key);
    if (id !== undefined && mark.startsWith(KNOWN)) known.push(id);
  }
  for (const event of await findEvents(database, known))
    if (isOwn(event)) stored.set(identityIn(event.id), event);
  return events.map(({ id }) => stored.get(identityIn(id)));
}
