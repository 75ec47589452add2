/** What hangs on events that go: pins, which show what is pinned and go with it, and what was decided, summed up or handed over, which stays. */
import { type Event, identityIn, type Kind } from "../kinds/event.ts";
import { textsIn } from "../kinds/kind.ts";
import { refsNow } from "../projections/current-refs.ts";
import type { EventStore, PurgeTarget } from "../store.ts";
import { artifactsOf, mentions } from "./mentions.ts";
import { eventNamed } from "./named-ids.ts";

const STATEMENTS: readonly Kind[] = ["decision", "summary", "pin", "handoff"];

/**
 * Call it before the purge. @returns in order of time, without what goes of itself: the caller's own `pins` of something that goes, since
 * their notes often are its words, and `others` that refer to something that goes, and stay.
 */
export async function restingOn(
  target: PurgeTarget,
  store: Pick<EventStore, "read" | "find" | "artifact">,
) {
  const made: Event[] = [];
  for await (const event of store.read({ kinds: STATEMENTS })) made.push(event);
  const grounds = await refsNow(made.flatMap(groundsOf), store);
  const going = new Set<string>();
  const isPending = (ref: unknown) =>
    typeof ref === "string" && going.has(identityIn(eventNamed(ref)));
  for (const event of grounds.values())
    if (event !== "artifact" && (await matchesPurge(event, target, store)))
      going.add(identityIn(event.id));
  const [pins, others]: [Event[], Event[]] = [[], []];
  // In order of time, so that a pin of a pin comes after it.
  for (const event of made) {
    if (!groundsOf(event).some(isPending) || (await matchesPurge(event, target, store))) continue;
    const isOwnPin =
      event.kind === "pin" && event.person === undefined && isPending(event.content.ref);
    if (isOwnPin) going.add(identityIn(event.id));
    (isOwnPin ? pins : others).push(event);
  }
  return { pins, others };
}

/** Without what it replaces: that is settled, whatever becomes of it. */
const groundsOf = ({ refs, content }: Event): string[] => [...refs, ...textsIn(content.decisions)];

/** Whether a purge of this target takes an event out, if the caller recorded it. */
export async function matchesPurge(
  event: Event,
  target: PurgeTarget,
  store: Pick<EventStore, "artifact">,
): Promise<boolean> {
  if ("session" in target) return event.session === target.session;
  if ("ids" in target)
    return target.ids.some((id) => identityIn(eventNamed(id)) === identityIn(event.id));
  if (mentions(event, target.text)) return true;
  for (const id of artifactsOf(event))
    if ((await store.artifact(id))?.includes(target.text)) return true;
  return false;
}
