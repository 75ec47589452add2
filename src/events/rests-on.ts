/** What a purge leaves without its ground: what was decided, summed up, pinned or handed over, and rests on what goes. */
import type { Event, Kind } from "./event.ts";
import { identityIn } from "./event-id.ts";
import { artifactsOf, mentions } from "./mentions.ts";
import { eventNamed } from "./named-ids.ts";
import { textsIn } from "./projections/brief-event.ts";
import { refsNow } from "./refs-now.ts";
import type { EventStore, PurgeTarget } from "./store.ts";

const STATEMENTS: readonly Kind[] = ["decision", "summary", "pin", "handoff"];

/** Call it before the purge. @returns in order of time those that stay, and refer to something that goes. */
export async function restingOn(
  target: PurgeTarget,
  store: Pick<EventStore, "read" | "find" | "artifact">,
): Promise<readonly Event[]> {
  const made: Event[] = [];
  for await (const event of store.read({ kinds: STATEMENTS })) made.push(event);
  const grounds = await refsNow(made.flatMap(groundsOf), store);
  const going = new Set<string>();
  for (const [ref, event] of grounds) if (event !== "artifact" && (await goes(event, target, store))) going.add(ref);
  const stays: Event[] = [];
  for (const event of made)
    if (groundsOf(event).some((ref) => going.has(ref)) && !(await goes(event, target, store))) stays.push(event);
  return stays;
}

/** Without what it replaces: that is settled, whatever becomes of it. */
function groundsOf({ refs, content }: Event): string[] {
  return [...refs, ...textsIn(content.decisions)];
}

/** Whether a purge of this target takes an event out, if the caller recorded it. */
export async function goes(event: Event, target: PurgeTarget, store: Pick<EventStore, "artifact">): Promise<boolean> {
  if ("session" in target) return event.session === target.session;
  if ("ids" in target) return target.ids.some((id) => identityIn(eventNamed(id)) === identityIn(event.id));
  if (mentions(event, target.text)) return true;
  for (const id of artifactsOf(event)) if ((await store.artifact(id))?.includes(target.text)) return true;
  return false;
}
