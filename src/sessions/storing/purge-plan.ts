/** Plans a purge of the target's events and their pins. (docs/design/sessions.md, "Purge and retention") */
import { collect } from "../../ground/core/collections.ts";
import { type Event, identityIn, isOwn, type Kind } from "../kinds/event.ts";
import { textsIn } from "../kinds/kind.ts";
import type { EventStore, Purged, PurgeTarget } from "../store.ts";
import { eventNamed, resolveIds } from "./named-ids.ts";
import { matchesPurge } from "./removal.ts";

const STATEMENTS: readonly Kind[] = ["decision", "summary", "pin", "handoff"];

type PlannedStore = Pick<EventStore, "read" | "find" | "artifact" | "toPurge" | "purge">;

export interface PurgePlan {
  /** The counts for the purged events, pins included. */
  readonly doomed: Purged;
  /** The events that cite the purged ones, and stay. */
  readonly resting: readonly Event[];
  /** @returns the counts of removed events and artifacts. */
  readonly carryOut: () => Promise<Purged>;
}

/**
 * Changes nothing until you call `carryOut`.
 * @throws SentinelError `bad_argument` for a blank text.
 */
export async function planPurge(target: PurgeTarget, store: PlannedStore): Promise<PurgePlan> {
  const named = await store.toPurge(target);
  const { pins, others } = await restingOn(target, store);
  if (pins.length === 0) {
    return { doomed: named, resting: others, carryOut: () => store.purge(target) };
  }
  const ids = pins.map(({ id }) => id);
  const carryOut = async (): Promise<Purged> => {
    // Remove the pins first. If the process were killed between the two purges, pins left over could no longer be found.
    const ofPins = await store.purge({ ids });
    return sumOf(ofPins, await store.purge(target));
  };
  return { doomed: sumOf(await store.toPurge({ ids }), named), resting: others, carryOut };
}

/**
 * Finds the statements that refer to the events of a purge, by time, without those that are purged themselves.
 * The caller's own pins of a purged event are removed with it, because their notes often repeat it.
 */
async function restingOn(
  target: PurgeTarget,
  store: PlannedStore,
): Promise<{ readonly pins: readonly Event[]; readonly others: readonly Event[] }> {
  const statements = await collect(store.read({ kinds: STATEMENTS }));
  const grounds = await resolveIds(statements.flatMap(groundsOf), store);
  const doomed = new Set<string>();
  for (const event of grounds.values()) {
    if (event !== "artifact" && (await matchesPurge(event, target, store))) {
      doomed.add(identityIn(event.id));
    }
  }
  const isDoomed = (ref: unknown) =>
    typeof ref === "string" && doomed.has(identityIn(eventNamed(ref)));
  const pins: Event[] = [];
  const others: Event[] = [];
  // In order of time, so a pin of a pin comes after it.
  for (const event of statements) {
    if (!groundsOf(event).some(isDoomed)) {
      continue;
    }
    if (await matchesPurge(event, target, store)) {
      continue;
    }
    if (event.kind === "pin" && isOwn(event) && isDoomed(event.content.ref)) {
      doomed.add(identityIn(event.id));
      pins.push(event);
    } else {
      others.push(event);
    }
  }
  return { pins, others };
}

/** The ids that a statement relies on, without those that it supersedes. */
const groundsOf = ({ refs, content }: Event): string[] => [...refs, ...textsIn(content.decisions)];

function sumOf(one: Purged, other: Purged): Purged {
  const kinds = { ...one.kinds };
  for (const [kind, count] of Object.entries(other.kinds) as [Kind, number][]) {
    kinds[kind] = (kinds[kind] ?? 0) + count;
  }
  const events = one.events + other.events;
  return { events, kinds, artifacts: one.artifacts + other.artifacts };
}
