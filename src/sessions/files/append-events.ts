/** Appends events without a lock; a purge meanwhile shows afterwards. */
import { groupBy } from "../../ground/core/group-by.ts";
import { faultPoint } from "../../ground/files/fault-points.ts";
import type { Event } from "../kinds/event.ts";
import type { Prepared } from "../storing/prepare.ts";
import { dayOf } from "./day-files.ts";
import { writeBatch } from "./event-line.ts";
import type { LogFiles } from "./log-files.ts";
import { exclusively, takeOut } from "./purge.ts";
import { purgedBy } from "./purged-list.ts";

/** All is on the disk when this returns. @param now ms since 1970. @returns the events in order; undefined for a purged one. */
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
    days.append(day, writeBatch(ofDay));
  // What removed an artifact in between saw no event that has it.
  for (const [id, text] of texts) if (!artifacts.has(id)) artifacts.keep(id, text, now);
  faultPoint("acknowledging");
  const after = await purged.read();
  const isPurged = purgedBy(after.purges);
  const late = after === before ? [] : [...accepted].filter(({ event }) => isPurged(event));
  if (late.length > 0) {
    // A purge of the same events may have rewritten their day before they came.
    const events = late.map(({ event }) => event);
    await exclusively(files, () => takeOut(files, events));
    for (const one of late) accepted.delete(one);
  }
  return prepared.map((one) => (accepted.has(one) ? one.event : undefined));
}
