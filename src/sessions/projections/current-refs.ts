/** Checks the references of decisions against the current log: removes purged or expired ones and those that the reader may not see. */
import { type Event, identityIn } from "../kinds/event.ts";
import type { EventStore } from "../store.ts";
import { eventNamed } from "../storing/named-ids.ts";
import type { Decision } from "./decisions.ts";

export type Lookup = Pick<EventStore, "find" | "artifact">;

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
  const known = await refsNow(ids, store);
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

/** Resolves ids to events or artifacts. The id of a chunk resolves to its event. Ids that no longer exist are missing. */
export async function refsNow(
  ids: readonly string[],
  store: Lookup,
): Promise<ReadonlyMap<string, Event | "artifact">> {
  const wanted = [...new Set(ids)];
  const events = wanted.length === 0 ? [] : await store.find(wanted.map(eventNamed));
  const byIdentity = new Map(events.map((event) => [identityIn(event.id), event]));
  const known = new Map<string, Event | "artifact">();
  for (const id of wanted) {
    const event = byIdentity.get(identityIn(eventNamed(id)));
    if (event) known.set(id, event);
    else if (id.startsWith("art_") && (await store.artifact(id)) !== undefined)
      known.set(id, "artifact");
  }
  return known;
}
