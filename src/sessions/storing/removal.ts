/** Decides which events and artifacts a purge or retention removes. Every store uses it. */
import { sumBy } from "../../ground/core/collections.ts";
import { SentinelError } from "../../ground/core/errors.ts";
import { DAY_MS, dateOf } from "../../ground/core/time.ts";
import { type Event, identityIn, readEventId } from "../kinds/event.ts";
import type { EventStore, PurgeTarget, RetentionLimits } from "../store.ts";
import { artifactsOf, mentions } from "./event-texts.ts";

/** @param withText the artifacts that contain the target's text. @throws SentinelError `bad_argument` for a blank text. */
export function purgeMatcher(
  target: PurgeTarget,
  withText: ReadonlySet<string> = new Set(),
): (event: Event) => boolean {
  if ("session" in target) {
    return ({ session }) => session === target.session;
  }
  if ("ids" in target) {
    const identities = identitiesIn(target.ids);
    return ({ id }) => identities.has(identityIn(id));
  }
  const text = nonBlank(target.text);
  return (event) => {
    if (mentions(event, text)) {
      return true;
    }
    return artifactsOf(event).some((id) => withText.has(id));
  };
}

/** The identities in the ids of events. Other ids are ignored. */
export function identitiesIn(ids: readonly string[]): ReadonlySet<string> {
  const named = ids.map(readEventId).filter((id) => id !== undefined);
  return new Set(named.map(({ identity }) => identity));
}

/** Every event contains the empty text. @throws SentinelError `bad_argument` for a blank text. */
export function nonBlank(text: string): string {
  if (text.trim() !== "") {
    return text;
  }
  throw new SentinelError("bad_argument", "The text is blank.", "Give the text to remove.");
}

/** Whether a purge removes an event, if the caller recorded it. */
export async function matchesPurge(
  event: Event,
  target: PurgeTarget,
  store: Pick<EventStore, "artifact">,
): Promise<boolean> {
  const withText = new Set<string>();
  if ("text" in target) {
    for (const id of artifactsOf(event)) {
      if ((await store.artifact(id))?.includes(target.text)) {
        withText.add(id);
      }
    }
  }
  return purgeMatcher(target, withText)(event);
}

/** Earlier days, in UTC, lose their events. Empty if all events stay. */
export function firstDayToKeep({ eventsDays }: RetentionLimits, now: number): string {
  if (eventsDays === undefined) {
    return "";
  }
  const first = new Date(now - eventsDays * DAY_MS);
  return dateOf(first.toISOString());
}

/** The artifacts to remove: those beyond their days, then the first ones beyond the bytes of all. @param artifacts the longest unused first. */
export function artifactsOver<A extends { readonly bytes: number; readonly usedAt: number }>(
  artifacts: readonly A[],
  { artifactsDays, artifactsBytes }: RetentionLimits,
  now: number,
): A[] {
  let bytes = sumBy(artifacts, (artifact) => artifact.bytes);
  const over: A[] = [];
  for (const artifact of artifacts) {
    if (artifact.usedAt >= now - artifactsDays * DAY_MS && bytes <= artifactsBytes) {
      continue;
    }
    over.push(artifact);
    bytes -= artifact.bytes;
  }
  return over;
}
