/** What decisions refer to, as it is now: what was purged, or is over its time, leads nowhere, and not everybody may see all of it. */
import { type Event, identityIn } from "../kinds/event.ts";
import type { EventStore } from "../store.ts";
import { eventNamed } from "../storing/named-ids.ts";
import type { Decision } from "./decisions.ts";

export type Lookup = Pick<EventStore, "find" | "artifact">;

export interface DecisionNow extends Decision {
  /** Ids among those that it rested on and replaced that the session log has no more. They are not in `refs` and `supersedes`. */
  readonly removed: readonly string[];
}

/** @param isSeen whether the reader may see an event: what it may not is not named. */
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

/** By each id what it names: an event, also of a chunk, or an artifact. Those that lead nowhere are missing. */
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
