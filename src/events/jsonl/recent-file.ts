/**
 * The recent window on the disk, in `index/`: all of it, and the little that the start of a session may need, so that a hook reads one small
 * file, however long the record is. Both are derived: without them, or with one that cannot be read, the next capture writes them again.
 */
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { DAY_MS } from "../../core/time.ts";
import { changeUserFile } from "../../files/user-folder.ts";
import type { BriefEvent } from "../projections/brief-event.ts";
import { neededAtStart } from "../projections/going-on/at-start.ts";
import { eventsIn, NOTHING_RECENT, type Recent, withChanges } from "../projections/going-on/recent.ts";
import type { EventStore } from "../store.ts";
import { changesSince } from "./changes.ts";
import { findPurge } from "./purged-list.ts";
import { recordFiles } from "./record-files.ts";

/** Whole days in UTC before today: nothing that is older than 14 days helps to go on. */
const RECENT_DAYS = 13;
/** What is read of events that came after the file was written, or where there is none. */
const TAIL_BYTES = 2_000_000;
const DAYS_WITHOUT_FILE = 1;
const FORMAT = 2;
const FILES = { recent: "recent.json", start: "start.json" } as const;
type Name = keyof typeof FILES;

/** Brings the files up to date. Call it under the record's lock. @param now in ms since 1970. */
export async function followRecent(store: Pick<EventStore, "changes">, folder: string, now: number): Promise<void> {
  const before = readFile(folder, "recent");
  let recent = before ?? NOTHING_RECENT;
  for (let more = true; more; ) {
    const changes = await store.changes(recent.cursor, { from: daysBefore(now, RECENT_DAYS) });
    recent = withChanges(recent, changes);
    more = changes.more;
  }
  if (recent.cursor !== before?.cursor) await writeFile(folder, "recent", recent);
  if (recent.cursor !== readFile(folder, "start")?.cursor) await writeFile(folder, "start", neededAtStart(recent));
}

/** The recent events in brief, those included that came since the file was written; of very many, not all. */
export function readRecent(folder: string, now: number): Promise<BriefEvent[]> {
  return readOn("recent", folder, now);
}

/** Those of them that the start of a session may need. */
export function readStart(folder: string, now: number): Promise<BriefEvent[]> {
  return readOn("start", folder, now);
}

/** What was purged or dropped must not stay in the files. */
export function forgetRecent(folder: string): void {
  for (const name of Object.keys(FILES) as Name[]) rmSync(pathIn(folder, name), { force: true });
}

async function readOn(name: Name, folder: string, now: number): Promise<BriefEvent[]> {
  const files = recordFiles(folder);
  const known = readFile(folder, name);
  const from = daysBefore(now, known ? RECENT_DAYS : DAYS_WITHOUT_FILE);
  const changes = await changesSince(files, known?.cursor, { from, bytes: TAIL_BYTES });
  const { pending } = await files.purged.read();
  const events = eventsIn(withChanges(known ?? NOTHING_RECENT, changes));
  return events.filter((event) => !findPurge(pending, event));
}

function readFile(folder: string, name: Name): Recent | undefined {
  try {
    const { format, ...recent } = JSON.parse(readFileSync(pathIn(folder, name), "utf8"));
    return format === FORMAT ? recent : undefined;
  } catch {
    return undefined;
  }
}

function writeFile(folder: string, name: Name, recent: Recent): Promise<void> {
  return changeUserFile(pathIn(folder, name), () => JSON.stringify({ format: FORMAT, ...recent }));
}

function daysBefore(now: number, days: number): string {
  return new Date(now - days * DAY_MS).toISOString().slice(0, 10);
}

function pathIn(folder: string, name: Name): string {
  return join(folder, "index", FILES[name]);
}
