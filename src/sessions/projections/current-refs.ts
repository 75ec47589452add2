/** Checks events and the references of decisions against the current log: removes purged or expired ones and those that the reader may not see. */
import { type Event, identityIn, inTime } from "../kinds/event.ts";
import { REPLACEABLE } from "../kinds/kinds.ts";
import type { EventStore } from "../store.ts";
import { type Lookup, resolveIds } from "../storing/named-ids.ts";
import { type Decision, resolveSupersession } from "./decisions.ts";

export interface DecisionNow extends Decision {
  /** Ids of its grounds and predecessors that the session log no longer contains. They are not in `refs` and `supersedes`. */
  readonly removed: readonly string[];
}

/** @param isSeen whether the reader may see an event. References to other events are dropped. */
export async function withRefsNow(
  decisions: readonly Decision[],
  store: Lookup,
  isSeen: (event: Event) => boolean = () => true,
): Promise<DecisionNow[]> {
  const ids = decisions.flatMap(({ refs, supersedes }) => [...refs, ...supersedes]);
  const known = await resolveIds(ids, store);
  const isNamed = (ref: string) => {
    const event = known.get(ref);
    return event !== undefined && (event === "artifact" || isSeen(event));
  };
  return decisions.map((made) => ({
    ...made,
    refs: made.refs.filter(isNamed),
    supersedes: made.supersedes.filter(isNamed),
    removed: [...new Set([...made.refs, ...made.supersedes])].filter((ref) => !known.has(ref)),
  }));
}

type Ledger = Pick<EventStore, "brief">;

/** The current state of an event and its references. */
export interface EventNow {
  /** Ids of its references that no longer exist. */
  readonly removed: readonly string[];
  /** Ids of the events that superseded it. Empty if it's in force or its kind can't be superseded. */
  readonly replaced: readonly string[];
}

export async function eventNow(event: Event, store: Ledger & Lookup): Promise<EventNow> {
  const known = await resolveIds(event.refs, store);
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
  if (kinds.length === 0) {
    return new Map();
  }
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
