/** Sorts events by time. Events of the same millisecond keep the order of the file, but follow the events that they refer to. */
import { compare } from "../../ground/core/text.ts";
import { type Event, identityIn } from "../kinds/event.ts";

/** @param events in the order of the file. */
export function inOrder(events: Iterable<Event>): Event[] {
  const sorted = [...events].sort(({ ts: a }, { ts: b }) => compare(a, b));
  const byIdentity = new Map(sorted.map((event) => [identityIn(event.id), event]));
  const placed = new Set<Event>();
  const waiting = new Set<Event>();
  const place = (event: Event): void => {
    if (placed.has(event) || waiting.has(event)) return;
    waiting.add(event);
    for (const ref of event.refs) {
      const cause = byIdentity.get(identityIn(ref));
      if (cause?.ts === event.ts) place(cause);
    }
    placed.add(event);
  };
  for (const event of sorted) place(event);
  return [...placed];
}

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
