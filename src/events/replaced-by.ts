/** Which later events replaced a decision or a pin, or took it back: it says what does not hold any more. */
import type { Event, Kind } from "./event.ts";
import { identityIn } from "./event-id.ts";
import { inTime } from "./projections/brief-event.ts";
import { standingOf } from "./projections/superseded.ts";
import type { EventStore } from "./store.ts";

const REPLACEABLE: readonly Kind[] = ["decision", "pin"];

/** @returns their ids; none where it holds, and of an event of another kind. */
export async function replacedBy(event: Event, store: Pick<EventStore, "brief">): Promise<readonly string[]> {
  if (!REPLACEABLE.includes(event.kind)) return [];
  const same = inTime(await store.brief("ledger")).filter(({ kind }) => kind === event.kind);
  const standing = standingOf(same).find((one) => identityIn(one.event.id) === identityIn(event.id));
  return standing?.supersededBy ?? [];
}
