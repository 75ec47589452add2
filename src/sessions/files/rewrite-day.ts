/**
 * Removes events from a day's files, under the session log's lock. A kill leaves closed files, which are read like
 * others until the next process finishes the work.
 */
import { existsSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { linesOf } from "../../ground/files/append-log.ts";
import { faultPoint } from "../../ground/files/fault-points.ts";
import { patientlySync } from "../../ground/files/patiently.ts";
import { writePrivateFile } from "../../ground/files/private-file.ts";
import { flushFolder } from "../../ground/files/replace-file.ts";
import { STAGING } from "../../ground/files/sidecar-names.ts";
import type { Event } from "../kinds/event.ts";
import { type DayFile, type DayFiles, generationAfter } from "./day-files.ts";
import { readEventLine } from "./event-line.ts";

const LINE_FEED = Buffer.of(0x0a);

export interface Rewriting {
  readonly matchesPurge: (event: Event) => boolean;
  /** Called with the events before they are removed. */
  readonly onRemove?: (events: readonly Event[]) => void;
}

/** @returns the number of damaged lines removed. */
export function rewriteDay(days: DayFiles, day: string, rewriting: Rewriting): number {
  const files = days.list().filter((file) => file.day === day);
  const next = generationAfter(files);
  for (const { path, next: isClosed } of files)
    if (isClosed === undefined) patientlySync(() => renameSync(path, `${path}.closed-${next}`));
  faultPoint("day-closed");
  return finishRewriting(days, day, rewriting);
}

/** Continues if a kill left closed files. */
export function finishRewriting(days: DayFiles, day: string, rewriting: Rewriting): number {
  const closed = days.list().filter((file) => file.day === day && file.next !== undefined);
  let damaged = 0;
  for (const next of new Set(closed.map((file) => file.next as number))) {
    const path = days.pathFor(day, next);
    const files = closed.filter((file) => file.next === next);
    // If the next file exists, it's whole, because a rename made it.
    if (!existsSync(path)) damaged += writeKept(path, files, rewriting);
    for (const file of files) rmSync(file.path);
    flushFolder(dirname(path));
  }
  return damaged;
}

/** Removes the files that killed rewritings were writing. */
export function removeStagings(folder: string): void {
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" }))
    if (name.includes(STAGING)) rmSync(join(folder, name), { force: true });
}

function writeKept(
  path: string,
  files: readonly DayFile[],
  { matchesPurge, onRemove }: Rewriting,
): number {
  const kept: Buffer[] = [];
  const removed: Event[] = [];
  let damaged = 0;
  for (const line of files.flatMap((file) => linesOf(readFileSync(file.path)))) {
    const event = readEventLine(line);
    if (event === undefined) damaged++;
    else if (matchesPurge(event)) removed.push(event);
    else kept.push(line, LINE_FEED);
  }
  onRemove?.(removed);
  if (kept.length === 0) return damaged;
  writePrivateFile(path, Buffer.concat(kept), `${path}${STAGING}day`, "day-staged");
  faultPoint("day-renamed");
  return damaged;
}
