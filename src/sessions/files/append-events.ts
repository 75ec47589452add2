/** Appends events without a lock, concurrently with purges. (docs/design/sessions.md, "Appending and reading") */
import { groupBy } from "../../ground/core/group-by.ts";
import { faultPoint } from "../../ground/files/fault-points.ts";
import type { Event } from "../kinds/event.ts";
import type { Prepared } from "../storing/prepare.ts";
import { dayOf } from "./day-files.ts";
import { writeEventLine } from "./event-line.ts";
import type { LogFiles } from "./log-files.ts";
import { exclusively, removePurged } from "./purge.ts";
import { purgedBy } from "./purged-list.ts";

/**
 * Appends events and flushes them to the disk.
 * @param now ms since 1970. @returns the events in order, undefined for purged ones.
 */
export async function appendEvents(
  files: LogFiles,
  prepared: readonly Prepared[],
  now: number,
): Promise<readonly (Event | undefined)[]> {
  const { days, artifacts, purged } = files;
  const before = await purged.read();
  const wasPurged = purgedBy(before.purges);
  const accepted = new Set(prepared.filter(({ event }) => !wasPurged(event)));
  const texts = new Map([...accepted].flatMap((one) => [...one.artifacts]));
  for (const [id, text] of texts) artifacts.keep(id, text, now);
  for (const [day, ofDay] of groupBy(accepted, ({ event }) => dayOf(event)))
    days.append(day, ofDay.map(writeEventLine));
  // A purge in between may have removed an artifact, because no stored event referred to it yet.
  for (const [id, text] of texts) if (!artifacts.has(id)) artifacts.keep(id, text, now);
  faultPoint("acknowledging");
  const after = await purged.read();
  const isPurged = purgedBy(after.purges);
  const late = after === before ? [] : [...accepted].filter(({ event }) => isPurged(event));
  if (late.length > 0) {
    // A purge of these events may have rewritten their day before they were appended.
    const events = late.map(({ event }) => event);
    await exclusively(files, () => removePurged(files, events));
    for (const one of late) accepted.delete(one);
  }
  return prepared.map((one) => (accepted.has(one) ? one.event : undefined));
}
