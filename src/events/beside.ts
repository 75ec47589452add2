/** What stood before and after an event in its session. */
import { DAY_MS } from "../core/time.ts";
import type { Event } from "./event.ts";
import type { EventStore } from "./store.ts";

export interface Beside {
  /** In order of time. */
  readonly before: readonly Event[];
  readonly after: readonly Event[];
}

/** A session that was left for longer is looked through no further. */
const MOST_DAYS = 14;

/** @param count of events on each side, at most. */
export async function beside(event: Event, count: number, store: Pick<EventStore, "read">): Promise<Beside> {
  const { session, ts, id } = event;
  const day = (days: number) => new Date(Date.parse(ts) + days * DAY_MS).toISOString();
  const isOther = (other: Event) => other.id !== id && other.sensitivity !== "secret";
  const earlier = store.read({ session, from: day(-MOST_DAYS), to: day(1), newestFirst: true });
  const before = await first(earlier, count, (other) => isOther(other) && isBefore(other, event));
  const later = store.read({ session, from: ts, to: day(MOST_DAYS) });
  const after = await first(later, count, (other) => isOther(other) && !isBefore(other, event));
  return { before: before.reverse(), after };
}

async function first(events: AsyncIterable<Event>, count: number, isWanted: (event: Event) => boolean) {
  const found: Event[] = [];
  for await (const event of events) {
    if (isWanted(event)) found.push(event);
    if (found.length === count) break;
  }
  return found;
}

function isBefore(one: Event, other: Event): boolean {
  return one.ts === other.ts ? one.id < other.id : one.ts < other.ts;
}
