/** Matches events with the target of a purge. Every store uses it. */
import { SentinelError } from "../../ground/core/errors.ts";
import { type Event, identityIn, readEventId } from "../kinds/event.ts";
import type { EventStore, PurgeTarget } from "../store.ts";
import { artifactsOf, mentions } from "./mentions.ts";

/** @param withText the artifacts that contain the target's text. @throws SentinelError `bad_argument` for a blank text. */
export function purgeMatcher(
  target: PurgeTarget,
  withText: ReadonlySet<string> = new Set(),
): (event: Event) => boolean {
  if ("session" in target) return ({ session }) => session === target.session;
  if ("ids" in target) {
    const identities = identitiesIn(target.ids);
    return ({ id }) => identities.has(identityIn(id));
  }
  const text = nonBlank(target.text);
  return (event) => mentions(event, text) || artifactsOf(event).some((id) => withText.has(id));
}

/** The identities in the ids of events. Other ids are ignored. */
export function identitiesIn(ids: readonly string[]): ReadonlySet<string> {
  const named = ids.map(readEventId).filter((id) => id !== undefined);
  return new Set(named.map(({ identity }) => identity));
}

/** Every event contains the empty text. @throws SentinelError `bad_argument` for a blank text. */
export function nonBlank(text: string): string {
  if (text.trim() !== "") return text;
  throw new SentinelError("bad_argument", "The text is blank.", "Give the text to remove.");
}

/** Whether a purge removes an event, if the caller recorded it. */
export async function matchesPurge(
  event: Event,
  target: PurgeTarget,
  store: Pick<EventStore, "artifact">,
): Promise<boolean> {
  const withText = new Set<string>();
  if ("text" in target)
    for (const id of artifactsOf(event))
      if ((await store.artifact(id))?.includes(target.text)) withText.add(id);
  return purgeMatcher(target, withText)(event);
}
