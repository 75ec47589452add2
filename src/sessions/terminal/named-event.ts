import { SentinelError } from "../../ground/core/errors.ts";
import { firstWords, plural } from "../../ground/core/text.ts";
import { safeLine } from "../../ground/terminal/layout.ts";
import type { Event } from "../kinds/event.ts";
import { SHORT_LENGTH, shortEventId } from "../kinds/event-id.ts";
import { eventText } from "../kinds/event-text.ts";
import type { EventStore } from "../store.ts";
import { eventOfChunk } from "../storing/chunks.ts";
import { ownOfEachId } from "../storing/named-ids.ts";
import { ENOUGH_CHARACTERS, tooLittle } from "./enough-of-id.ts";

const PREFIX = "evt_";
const CHUNK = "chk_";
const MOST_NAMED = 5;

/** Whether a name can only be that of an event, or of a part of one. */
export const isEventName = (name: string): boolean => name.startsWith(PREFIX) || name.startsWith(CHUNK);

/**
 * The one event whose id, or its short form, is the name, or begins or ends with what stands behind its `evt_`.
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
      // A short id is the end of the whole one.
      if (rest.startsWith(part) || rest.endsWith(part) || rest.slice(-SHORT_LENGTH).startsWith(part))
        named.set(event.id, event);
    }
  const [first, ...others] = named.values();
  if (!first)
    throw new SentinelError(
      "not_found",
      `The session log has no event ${safeLine(name)}.`,
      "Give an id that sentinel-memory record show SESSION shows; one that was purged is gone.",
    );
  if (others.length > 0) throw severalEvents(name, [first, ...others]);
  return first;
}

/** As `eventNamed`, for what cannot be undone. @throws SentinelError also `bad_argument` where little of the id is given. */
export async function eventToRemove(store: EventStore, name: string): Promise<Event> {
  const event = await eventNamed(store, name);
  if (name.length >= PREFIX.length + ENOUGH_CHARACTERS) return event;
  const fix = `Give ${ENOUGH_CHARACTERS} characters or more behind ${PREFIX}: sentinel-memory record show SESSION shows them.`;
  throw tooLittle(name, fix);
}

/** The event and its first words, so that who takes it out sees that it is the one. */
export function eventInShort(event: Event): string {
  const words = firstWords(eventText(event));
  const label = `${event.kind.replaceAll("_", " ")}, ${event.ts}`;
  return `${shortEventId(event.id)} (${label})${words === "" ? "" : `: "${safeLine(words)}"`}`;
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
