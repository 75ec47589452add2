/** Reading in pages. One ends where a millisecond ends, because the order within it is not seen from outside. */
import type { Event } from "../../sessions/kinds/event.ts";
import type { EventQuery, EventStore } from "../../sessions/store.ts";

const MOST_EVENTS = 1_000;
const MOST_BYTES = 4 * 1024 * 1024;

export interface EventPage {
  readonly events: readonly Event[];
  /** What the query for the next page has in place of these; absent on the last one. */
  readonly next?: Pick<EventQuery, "from" | "to">;
}

export async function readPage(query: EventQuery, store: EventStore): Promise<EventPage> {
  const events: Event[] = [];
  let bytes = 0;
  for await (const event of store.read(query)) {
    const last = events.at(-1)?.ts;
    const isFull = events.length >= MOST_EVENTS || bytes > MOST_BYTES;
    if (last !== undefined && isFull && event.ts !== last)
      return { events, next: query.newestFirst ? { to: last } : { from: event.ts } };
    events.push(event);
    bytes += JSON.stringify(event.content).length;
  }
  return { events };
}
