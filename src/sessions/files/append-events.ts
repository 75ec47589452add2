/** Appends events. (docs/design/sessions.md, "Appending and reading") */
import { groupBy } from "../../ground/core/collections.ts";
import { faultPoint } from "../../ground/files/fault-points.ts";
import type { Event } from "../kinds/event.ts";
import type { Prepared } from "../storing/prepare.ts";
import { dayOf } from "./day-files.ts";
import { writeEventLine } from "./event-line.ts";
import type { LogFiles } from "./log-files.ts";
import { purgedBy } from "./purged-list.ts";

/**
 * Appends events and flushes them to the disk. Call it under the session log's lock.
 * @param now ms since 1970. @returns the events in order, undefined for purged ones.
 */
export async function appendEvents(
  { days, artifacts, purged }: LogFiles,
  prepared: readonly Prepared[],
  now: number,
): Promise<readonly (Event | undefined)[]> {
  const isPurged = purgedBy((await purged.read()).purges);
  const accepted = prepared.filter(({ event }) => !isPurged(event));
  // Artifacts first, so that a kill leaves no event without its whole text.
  for (const { artifacts: texts } of accepted)
    for (const [id, text] of texts) artifacts.keep(id, text, now);
  for (const [day, ofDay] of groupBy(accepted, ({ event }) => dayOf(event)))
    days.append(day, ofDay.map(writeEventLine));
  faultPoint("acknowledging");
  const stored = new Set(accepted);
  return prepared.map((one) => (stored.has(one) ? one.event : undefined));
}
