import { type Event, identityIn, inTime } from "../kinds/event.ts";
import { REPLACEABLE } from "../kinds/kinds.ts";
import type { EventStore } from "../store.ts";
import { type Lookup, refsNow } from "./current-refs.ts";
import { resolveSupersession } from "./superseded.ts";

type Ledger = Pick<EventStore, "brief">;

/** What has become of an event, and of what it refers to. */
export type EventNow = Readonly<Awaited<ReturnType<typeof eventNow>>>;

export async function eventNow(event: Event, store: Ledger & Lookup) {
  const known = await refsNow(event.refs, store);
  return {
    /** Ids among its refs that lead nowhere any more. */
    removed: event.refs.filter((ref) => !known.has(ref)),
    /** Ids of the events that replaced it; none where it holds, and of an event of a kind that is never replaced. */
    replaced: (await replacedAmong([event], store)).get(event.id) ?? [],
  };
}

/** @returns of each of these events that does not hold any more, by its id, the ids of what replaced it. */
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
