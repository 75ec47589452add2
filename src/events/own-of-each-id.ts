/**
 * An id does not say who recorded its event: two people that read one transcript have it both, and anybody may record something under the id
 * of a teammate's.
 */
import type { Event } from "./event.ts";
import { identityIn } from "./event-id.ts";
import { isOwn } from "./projections/brief-event.ts";

/** Of events that have one identity the reader's own, where it has one. */
export function ownOfEachId(events: readonly Event[]): readonly Event[] {
  const own = new Set(events.filter(isOwn).map(({ id }) => identityIn(id)));
  return events.filter((event) => isOwn(event) || !own.has(identityIn(event.id)));
}

/** Ids with whose they are, where several events are meant. */
export function idsWithPersons(events: readonly Event[]): string {
  return events.map(({ id, person }) => (person === undefined ? id : `${id} (${person})`)).join(", ");
}
