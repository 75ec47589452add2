/** Describes purged events and the events that cite them. */
import { SentinelError } from "../../ground/core/errors.ts";
import { groupBy } from "../../ground/core/group-by.ts";
import { plural, present } from "../../ground/core/text.ts";
import { UNCHANGED } from "../../ground/terminal/purge-words.ts";
import type { ProjectLog } from "../consent/find-log.ts";
import { type Event, shortEventId } from "../kinds/event.ts";
import type { EventStore, Purged, PurgeTarget } from "../store.ts";
import { matchesPurge } from "../storing/purge-target.ts";

/** The most ids to list per kind. */
const MOST_NAMED = 10;

export function describePurged({ events, kinds, artifacts, damaged }: Purged): string {
  const named = Object.entries(kinds).map(([kind, count]) => `${kind} ${count}`);
  return present(
    `${plural(events, "event")} (${named.join(", ")})`,
    artifacts > 0 && plural(artifacts, "artifact"),
    damaged > 0 && `${plural(damaged, "damaged line")} of the same days`,
  ).join(", ");
}

/** A warning before a purge. Empty if no event cites the purged ones. */
export function willRestOnNothing(events: readonly Event[]): string[] {
  return events.length === 0
    ? []
    : [`These events stay but will cite purged ones: ${namedByKind(events)}.`];
}

/** A notice after a purge. Empty if no event cites the purged ones. */
export function leftWithoutGround(events: readonly Event[]): string[] {
  if (events.length === 0) return [];
  const fix =
    "To show one: sentinel-memory sessions show ID. To purge it too: sentinel-memory sessions purge ID";
  return [`These events stay but cite purged ones: ${namedByKind(events)}. ${fix}`];
}

function namedByKind(events: readonly Event[]): string {
  return [...groupBy(events, ({ kind }) => kind)]
    .map(([kind, all]) => {
      const named = all.slice(0, MOST_NAMED).map(({ id }) => shortEventId(id));
      const more = all.length > MOST_NAMED && `and ${all.length - MOST_NAMED} more`;
      return `${plural(all.length, kind)} (${present(...named, more).join(", ")})`;
    })
    .join(", ");
}

/** Whether other people recorded the target in a shared log, so this user can't remove it. */
export async function isOfOthers(
  target: PurgeTarget,
  { manifest }: ProjectLog,
  store: EventStore,
): Promise<boolean> {
  if (!manifest.daemon || ("text" in target && target.text === "")) return false;
  const seen =
    "ids" in target ? await store.find(target.ids) : store.read("session" in target ? target : {});
  for await (const event of seen) if (await matchesPurge(event, target, store)) return true;
  return false;
}

/** @param doing the requested action. */
export function notYours(doing: "purge" | "skip"): SentinelError {
  const then = doing === "skip" ? "From here nothing of it is recorded." : UNCHANGED;
  return new SentinelError(
    "not_allowed",
    `Another person recorded this for you to see, and only who recorded it can ${doing} it. ${then}`,
    `Ask that person to ${doing} it.`,
  );
}
