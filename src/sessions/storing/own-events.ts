/** Two people who read the same transcript both have its events, and anybody can record an event under the id of a teammate's. */
import { isOwn } from "../kinds/brief-event.ts";
import type { Event } from "../kinds/event.ts";
import { identityIn } from "../kinds/event-id.ts";

/** Of events that have one identity the reader's own, where it has one. */
export function ownOfEachId(events: readonly Event[]): readonly Event[] {
  const own = new Set(events.filter(isOwn).map(({ id }) => identityIn(id)));
  return events.filter((event) => isOwn(event) || !own.has(identityIn(event.id)));
}
