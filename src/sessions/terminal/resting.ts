/** What rests on something that goes, by kind, as a person reads it in a terminal. Pure. */
import { groupBy } from "../../ground/core/group-by.ts";
import { plural } from "../../ground/core/text.ts";
import type { Event } from "../kinds/event.ts";
import { shortEventId } from "../kinds/event-id.ts";

/** Of each kind. */
const MOST_NAMED = 10;

/** Before it goes; none where nothing rests on it. */
export function willRestOnNothing(events: readonly Event[]): string[] {
  return events.length === 0 ? [] : [`What rests on it stays, and will refer to nothing: ${namedByKind(events)}.`];
}

/** After it went; none where nothing rested on it. */
export function leftWithoutGround(events: readonly Event[]): string[] {
  if (events.length === 0) return [];
  const fix = "sentinel-memory record show ID shows one, and record purge ID takes it out as well.";
  return [`Left without what it rested on: ${namedByKind(events)}. ${fix}`];
}

function namedByKind(events: readonly Event[]): string {
  return [...groupBy(events, ({ kind }) => kind)]
    .map(([kind, all]) => {
      const named = all.slice(0, MOST_NAMED).map(({ id }) => shortEventId(id));
      const more = all.length > MOST_NAMED ? [`and ${all.length - MOST_NAMED} more`] : [];
      return `${plural(all.length, kind)} (${[...named, ...more].join(", ")})`;
    })
    .join(", ");
}
