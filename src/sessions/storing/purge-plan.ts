/** A purge as a whole: what it names, and the pins of that. (docs/design/sessions.md, "Purge and retention") */
import type { EventStore, Purged, PurgeTarget } from "../store.ts";
import { restingOn } from "./dependants.ts";

/**
 * Plans a purge, and changes nothing before it is carried out. @throws SentinelError `bad_argument` for a blank text.
 * @returns what is `doomed`, pins included; what is `resting` on it and stays; `carryOut`, which gives what went, as a store counted it.
 */
export async function planPurge(
  target: PurgeTarget,
  store: Pick<EventStore, "read" | "find" | "artifact" | "toPurge" | "purge">,
) {
  const named = await store.toPurge(target);
  const { pins, others } = await restingOn(target, store);
  const ids = pins.map(({ id }) => id);
  return {
    doomed: ids.length > 0 ? sumOf(await store.toPurge({ ids }), named) : named,
    resting: others,
    // Pins first: were they left behind by a kill, nothing would lead to them any more.
    carryOut: async () =>
      ids.length > 0
        ? sumOf(await store.purge({ ids }), await store.purge(target))
        : store.purge(target),
  };
}

function sumOf(one: Purged, other: Purged): Purged {
  const kinds = { ...one.kinds };
  for (const [kind, count] of Object.entries(other.kinds) as [keyof typeof kinds, number][])
    kinds[kind] = (kinds[kind] ?? 0) + count;
  return {
    events: one.events + other.events,
    kinds,
    artifacts: one.artifacts + other.artifacts,
    damaged: Math.max(one.damaged, other.damaged),
  };
}
