/** How many days events are kept: the one value of `record.yaml` that the person is asked for when recording is turned on. */
import { SentinelError } from "../../ground/core/errors.ts";
import { changeUserFile } from "../../ground/files/user-folder.ts";
import { limitsFile, readLogLimits } from "./limits.ts";

const LINE = /^events_days\s*:.*$/m;
const MOST_DAYS = 36_500;

/** The days that a text names; 0 keeps all events. @throws SentinelError `bad_argument`. */
export function daysIn(text: string): number {
  const days = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (days <= MOST_DAYS) return days;
  const fix = `Give a whole number from 1 to ${MOST_DAYS}, or 0 to keep all events.`;
  throw new SentinelError("bad_argument", `"${text}" is not a number of days.`, fix);
}

/**
 * Writes the days into the project's `record.yaml`, and leaves the rest of the file as it is.
 * @throws SentinelError `bad_argument` where a file has a mistake, so that nothing in it would hold; why it cannot be written.
 */
export async function keepEventsFor(projectFolder: string, days: number): Promise<void> {
  await mustBeUsable(projectFolder);
  const line = `events_days: ${days}`;
  await changeUserFile(limitsFile(projectFolder), (text) => {
    if (text === undefined || text.trim() === "") return `version: 1\n${line}\n`;
    return LINE.test(text) ? text.replace(LINE, line) : `${text.trimEnd()}\n${line}\n`;
  });
  await mustBeUsable(projectFolder);
}

async function mustBeUsable(projectFolder: string): Promise<void> {
  const { limits, problems } = await readLogLimits(projectFolder);
  const [first] = problems;
  if (!limits && first) throw new SentinelError("bad_argument", first.what, first.fix);
}
