/** Two people who read the same transcript both have its events, and anybody can record an event under the id of a teammate's. */
import type { Event } from "./event.ts";
import { identityIn } from "./event-id.ts";
import { isOwn } from "./projections/brief-event.ts";

/** Of events that have one identity the reader's own, where it has one. */
export function ownOfEachId(events: readonly Event[]): readonly Event[] {
  const own = new Set(events.filter(isOwn).map(({ id }) => identityIn(id)));
  return events.filter((event) => isOwn(event) || !own.has(identityIn(event.id)));
}
