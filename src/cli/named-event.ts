/** Which event a person means by an id, or by a part of one as it is printed. */
import { SentinelError } from "../core/errors.ts";
import { plural } from "../core/text.ts";
import { eventOfChunk } from "../events/chunks.ts";
import type { Event } from "../events/event.ts";
import { ownOfEachId } from "../events/own-of-each-id.ts";
import type { EventStore } from "../events/store.ts";
import { safeLine } from "./terminal/layout.ts";

const PREFIX = "evt_";
const CHUNK = "chk_";
/** Events that are named where several are meant. */
const MOST_NAMED = 5;

/** Whether a name can only be that of an event, or of a part of one. */
export function isEventName(name: string): boolean {
  return name.startsWith(PREFIX) || name.startsWith(CHUNK);
}

/**
 * The one event whose id is the name, or begins or ends with what stands behind its `evt_`.
 *
 * @throws SentinelError `not_found`, `ambiguous`.
 */
export async function eventNamed(store: EventStore, name: string): Promise<Event> {
  const [exact, ...alike] = ownOfEachId(await store.find([name.startsWith(CHUNK) ? eventOfChunk(name) : name]));
  if (exact && alike.length > 0) throw severalEvents(name, [exact, ...alike]);
  if (exact) return exact;
  const part = name.slice(PREFIX.length).replaceAll("…", "").toUpperCase();
  const named = new Map<string, Event>();
  if (part !== "")
    for await (const event of store.read()) {
      const rest = event.id.slice(PREFIX.length);
      if (rest.startsWith(part) || rest.endsWith(part)) named.set(event.id, event);
    }
  const [first, ...others] = named.values();
  if (!first) throw noSuchEvent(name);
  if (others.length > 0) throw severalEvents(name, [first, ...others]);
  return first;
}

function noSuchEvent(name: string): SentinelError {
  return new SentinelError(
    "not_found",
    `The record has no event ${safeLine(name)}.`,
    "Give an id that sentinel-memory show SESSION shows; one that was purged is gone.",
  );
}

function severalEvents(name: string, events: readonly Event[]): SentinelError {
  const shown = events
    .slice(0, MOST_NAMED)
    .map(({ id, ts, kind, person }) => `${id} (${[kind, ...(person ? [person] : []), ts.slice(0, 19)].join(", ")})`);
  const more = events.length > MOST_NAMED ? ", …" : "";
  return new SentinelError(
    "ambiguous",
    `${plural(events.length, "event")} have ids that begin or end like ${safeLine(name)}: ${shown.join(", ")}${more}.`,
    "Give more of the id; where it is the same, search for the words.",
  );
}
