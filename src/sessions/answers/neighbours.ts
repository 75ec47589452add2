import { DAY_MS } from "../../ground/core/time.ts";
import type { Event } from "../kinds/event.ts";
import type { EventStore } from "../store.ts";

/** The neighbours of an event, in order of time. */
export interface Beside {
  readonly before: readonly Event[];
  readonly after: readonly Event[];
}

/** Neighbours further away are ignored. */
const MOST_DAYS = 14;

/** The neighbours of an event in its session, in the store's order, because events of the same millisecond can't be compared. @param count the most events on each side. */
export async function beside(
  { id, ts, session }: Event,
  count: number,
  store: Pick<EventStore, "read">,
): Promise<Beside> {
  const day = (days: number) => new Date(Date.parse(ts) + days * DAY_MS).toISOString();
  const events: Event[] = [];
  for await (const event of store.read({ session, from: day(-MOST_DAYS), to: day(MOST_DAYS) }))
    if (event.sensitivity !== "secret" || event.id === id) events.push(event);
  const place = events.findIndex((event) => event.id === id);
  return {
    before: events.slice(Math.max(0, place - count), place),
    after: events.slice(place + 1, place + 1 + count),
  };
}
