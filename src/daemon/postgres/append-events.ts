/** Prepares and stores events, with their chunks and artifacts (docs/design/daemon.md, "The session log on PostgreSQL"). */
import { randomBytes } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import {
  type Event,
  type EventDraft,
  IDENTITY_BYTES,
  identityIn,
  isOwn,
} from "../../sessions/kinds/event.ts";
import { checkDraft } from "../../sessions/storing/check-draft.ts";
import type { Redactor } from "../../sessions/storing/redactor.ts";
import { LARGE_BYTES } from "../worker-thread.ts";
import type { Database } from "./database.ts";
import {
  type Batch,
  earliestOfEach,
  type PreparedBatch,
  prepareBatch,
  type Unprepared,
} from "./prepare-batch.ts";
import { findEvents } from "./read-events.ts";

/** Stores them. @returns the keys that are refused, and with `=` before them those that were stored already. */
export type Append = (batch: Batch) => Promise<readonly string[]>;

/** Before a key that was stored already. */
const KNOWN = "=";

export interface AppendParts {
  readonly redactor: Redactor;
  /** Prepares large batches elsewhere with the same redactor; here when it is absent. */
  readonly prepareLarge?: ((unprepared: Unprepared) => Promise<PreparedBatch>) | undefined;
  /** Ms since 1970. */
  readonly now: number;
  readonly append: Append;
}

/** Events of one call of the database. While it stores them, the next ones are prepared, and other callers have their turn. */
const AT_ONCE = 100;

/** @returns the events in the order of the drafts; undefined for one that was purged. */
export async function appendEvents(
  database: Database,
  drafts: readonly EventDraft[],
  { redactor, prepareLarge, now, append }: AppendParts,
): Promise<readonly (Event | undefined)[]> {
  for (const draft of drafts) checkDraft(draft);
  const prepareHere = (unprepared: Unprepared) => prepareBatch(unprepared, redactor);
  const prepare = prepareLarge && areLarge(drafts) ? prepareLarge : prepareHere;
  const stored: (Event | undefined)[] = [];
  let storing: Promise<readonly (Event | undefined)[]> = Promise.resolve([]);
  for (let first = 0; first < drafts.length; first += AT_ONCE) {
    const some = drafts.slice(first, first + AT_ONCE);
    const random = new Uint8Array(randomBytes(IDENTITY_BYTES * some.length));
    const { events, batch } = await prepare({
      drafts: some,
      identity: database.identity,
      now,
      random,
    });
    stored.push(...(await storing));
    storing = append(batch).then((refused) => storedOf(events, refused, database));
    // It is awaited below, where it may have failed long since.
    storing.catch(() => undefined);
    // What is on its way to the database leaves this process only now.
    if (first + AT_ONCE < drafts.length) await Promise.race([storing, nextTurn()]);
  }
  return [...stored, ...(await storing)];
}

/** @returns each event as it is stored now: one that was known before, as it was then, if its reader may see that. */
async function storedOf(events: readonly Event[], refused: readonly string[], database: Database) {
  const stored = new Map<string, Event>();
  for (const event of earliestOfEach(events)) stored.set(identityIn(event.id), event);
  const known: string[] = [];
  for (const key of refused) {
    const event = stored.get(key.replace(KNOWN, ""));
    if (event && stored.delete(identityIn(event.id)) && key.startsWith(KNOWN)) known.push(event.id);
  }
  for (const event of (await findEvents(database, known)).filter(isOwn))
    stored.set(identityIn(event.id), event);
  return events.map(({ id }) => stored.get(identityIn(id)));
}

/** Whether the content of drafts has so many characters and values that to prepare it takes milliseconds. */
function areLarge(drafts: readonly EventDraft[]): boolean {
  const open: unknown[] = drafts.map(({ content }) => content);
  let size = 0;
  while (open.length > 0 && size < LARGE_BYTES) {
    const value = open.pop();
    if (typeof value === "string") size += value.length;
    else if (typeof value === "object" && value !== null) {
      for (const [key, item] of Object.entries(value)) {
        size += key.length;
        open.push(item);
      }
    }
  }
  return size >= LARGE_BYTES;
}
