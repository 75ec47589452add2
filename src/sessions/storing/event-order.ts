/** Sorts events by time, and finds the earliest copy of each. */
import { compare } from "../../ground/core/text.ts";
import { type Event, identityIn } from "../kinds/event.ts";

/** Events of the same millisecond keep their order. @param events in the order of storing. */
export const inOrder = (events: Iterable<Event>): Event[] =>
  [...events].sort(({ ts: a }, { ts: b }) => compare(a, b));

/** The earliest copy of each event. */
export function earliestOfEach(events: Iterable<Event>): readonly Event[] {
  const earliest = new Map<string, Event>();
  for (const event of events) {
    const key = identityIn(event.id);
    const known = earliest.get(key);
    // An id begins with its time.
    if (known === undefined || event.id < known.id) earliest.set(key, event);
  }
  return [...earliest.values()];
}
