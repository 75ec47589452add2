import { type Event, identityIn, inTime } from "../kinds/event.ts";
import { REPLACEABLE } from "../kinds/kinds.ts";
import type { EventStore } from "../store.ts";
import { type Lookup, refsNow } from "./current-refs.ts";
import { resolveSupersession } from "./superseded.ts";

type Ledger = Pick<EventStore, "brief">;

/** The current state of an event and its references. */
export interface EventNow {
  /** Ids of its references that no longer exist. */
  readonly removed: readonly string[];
  /** Ids of the events that superseded it. Empty if it's in force or its kind can't be superseded. */
  readonly replaced: readonly string[];
}

export async function eventNow(event: Event, store: Ledger & Lookup): Promise<EventNow> {
  const known = await refsNow(event.refs, store);
  return {
    removed: event.refs.filter((ref) => !known.has(ref)),
    replaced: (await replacedAmong([event], store)).get(event.id) ?? [],
  };
}

/** @returns the superseding ids of each superseded event, by its id. */
export async function replacedAmong(
  events: readonly Event[],
  store: Ledger,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const kinds = REPLACEABLE.filter((kind) => events.some((event) => event.kind === kind));
  if (kinds.length === 0) return new Map();
  const ledger = inTime(await store.brief("ledger"));
  const standings = kinds.flatMap((kind) =>
    resolveSupersession(ledger.filter((event) => event.kind === kind)),
  );
  const by = new Map(
    standings.map(({ event, supersededBy }) => [identityIn(event.id), supersededBy]),
  );
  const found = events.map(({ id }) => [id, by.get(identityIn(id)) ?? []] as const);
  return new Map(found.filter(([, replacedBy]) => replacedBy.length > 0));
}
