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

/** The neighbours of an event in its session. @param count the most events on each side. */
export async function beside(
  event: Event,
  count: number,
  store: Pick<EventStore, "read">,
): Promise<Beside> {
  const { session, ts, id } = event;
  const day = (days: number) => new Date(Date.parse(ts) + days * DAY_MS).toISOString();
  const earlier = store.read({
    session,
    from: day(-MOST_DAYS),
    to: justAfter(ts),
    newestFirst: true,
  });
  const later = store.read({ session, from: ts, to: day(MOST_DAYS) });
  const before = await behind(id, earlier, count);
  return { before: before.reverse(), after: await behind(id, later, count) };
}

/** Relies on the store's order, because events of the same millisecond can't be compared. */
async function behind(id: string, events: AsyncIterable<Event>, count: number): Promise<Event[]> {
  const found: Event[] = [];
  let isBehind = false;
  for await (const event of events) {
    if (isBehind && event.sensitivity !== "secret") found.push(event);
    isBehind ||= event.id === id;
    if (found.length === count) break;
  }
  return found;
}

/** The end of a range is exclusive. */
const justAfter = (ts: string): string => new Date(Date.parse(ts) + 1).toISOString();
