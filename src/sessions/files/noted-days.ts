/**
 * How many bytes each day's files had, in `state/days.json`, so that a day that was lost is noticed. Files of events only grow: what a purge
 * or a retention takes is forgotten here before it goes, so a day that is smaller than it was noted was taken by somebody else.
 *
 * All that write call it under the session log's lock.
 */
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { orElse } from "../../ground/core/or-else.ts";
import { changeUserFile } from "../../ground/files/user-folder.ts";
import type { DayFiles } from "./day-files.ts";
import { logFiles } from "./log-files.ts";

interface Noted {
  /** Days of which something was found missing: more events of the same day must not hide it. */
  readonly lost: readonly string[];
  readonly bytes: Readonly<Record<string, number>>;
}

/** The days that lost events without a purge or a retention, the earliest first. */
export function lostDays(folder: string): readonly string[] {
  const before = readNoted(folder);
  const now = bytesByDay(logFiles(folder).days);
  const after = readNoted(folder);
  // A purge that ran meanwhile had forgotten the day.
  const missing = Object.keys(before.bytes)
    .filter((day) => (now[day] ?? 0) < (before.bytes[day] ?? 0))
    .filter((day) => (after.bytes[day] ?? 0) >= (before.bytes[day] ?? 0));
  return [...new Set([...after.lost, ...missing])].sort();
}

/** Notes how large the days are, and which of them are smaller than they were. */
export async function followDays(folder: string): Promise<void> {
  await write(folder, { lost: lostDays(folder), bytes: bytesByDay(logFiles(folder).days) });
}

/** Call it before something is taken out of these days on purpose. */
export async function forgetDays(folder: string, days: readonly string[]): Promise<void> {
  const others = Object.entries(readNoted(folder).bytes).filter(([day]) => !days.includes(day));
  await write(folder, { lost: lostDays(folder), bytes: Object.fromEntries(others) });
}

/** What was lost of these days is not missed any more: it was brought back, or it is too old to stay. */
export async function settleLostDays(folder: string, days: readonly string[]): Promise<void> {
  const { lost, bytes } = readNoted(folder);
  await write(folder, { lost: lost.filter((day) => !days.includes(day)), bytes });
}

function bytesByDay(days: DayFiles): Record<string, number> {
  const bytes: Record<string, number> = {};
  for (const { day, path } of days.list())
    bytes[day] = (bytes[day] ?? 0) + (statSync(path, { throwIfNoEntry: false })?.size ?? 0);
  return bytes;
}

const readNoted = (folder: string): Noted =>
  orElse(() => ({ lost: [], bytes: {}, ...JSON.parse(readFileSync(pathIn(folder), "utf8")) }), { lost: [], bytes: {} });

async function write(folder: string, noted: Noted): Promise<void> {
  const text = JSON.stringify(noted);
  if (text !== JSON.stringify(readNoted(folder))) await changeUserFile(pathIn(folder), () => text);
}

const pathIn = (folder: string): string => join(folder, "state", "days.json");
