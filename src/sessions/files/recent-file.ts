/**
 * The windows of the record on the disk, in `index/`: the recent one, the little of it that the start of a session may need, so that a hook
 * reads one small file, however long the session log is, and the ledger. All are derived: without them, or with one that cannot be read, the next
 * capture writes them again.
 */
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { DAY_MS } from "../../ground/core/time.ts";
import { countRead } from "../../ground/files/read-count.ts";
import { changeUserFile } from "../../ground/files/user-folder.ts";
import type { BriefEvent } from "../kinds/brief-event.ts";
import { neededAtStart } from "../resume/at-start.ts";
import {
  eventsIn,
  LEDGER,
  NOTHING_RECENT,
  RECENT,
  RECENT_DAYS,
  type Recent,
  type WindowRule,
  withChanges,
} from "../resume/recent.ts";
import { type ChangesRange, changesSince } from "./changes.ts";
import { logFiles } from "./log-files.ts";
import { findPurge } from "./purged-list.ts";

/** What is read of events that came after the file was written, or where there is none. */
const TAIL_BYTES = 2_000_000;
const DAYS_WITHOUT_FILE = 1;
const STEP_BYTES = 8_000_000;
/** Of changes that one capture brings into the ledger: a session log that is years long takes several. */
const LEDGER_BYTES = 64_000_000;
const FORMAT = 7;
const FILES = { recent: "recent.json", start: "start.json", ledger: "ledger.json" } as const;
type Name = keyof typeof FILES;

/** Brings the files up to date. Call it under the session log's lock. @param now in ms since 1970. */
export async function followRecent(folder: string, now: number): Promise<void> {
  const recent = await followWindow(folder, "recent", RECENT, { from: daysBefore(now, RECENT_DAYS) });
  if (recent.cursor !== readFile(folder, "start")?.cursor) await writeFile(folder, "start", neededAtStart(recent));
  await followWindow(folder, "ledger", LEDGER, { bytes: LEDGER_BYTES });
}

/** Keeps the recent events as a daemon tells them, and no others: what went there goes here. Call it under the session log's lock. */
export async function keepRecent(folder: string, events: readonly BriefEvent[]): Promise<void> {
  const recent = { segments: { "of the daemon": events } };
  await writeFile(folder, "recent", recent);
  await writeFile(folder, "start", neededAtStart(recent));
}

async function followWindow(
  folder: string,
  name: Name,
  rule: WindowRule,
  { from, bytes = Number.POSITIVE_INFINITY }: ChangesRange,
): Promise<Recent> {
  const files = logFiles(folder);
  const before = readFile(folder, name);
  let window = before ?? NOTHING_RECENT;
  let left = bytes;
  for (let more = true; more && left > 0; left -= STEP_BYTES) {
    const changes = await changesSince(files, window.cursor, {
      ...(from !== undefined && { from }),
      bytes: STEP_BYTES,
    });
    window = withChanges(window, changes, rule);
    more = changes.more;
  }
  if (window.cursor !== before?.cursor) await writeFile(folder, name, window);
  return window;
}

/** What a process has read of the windows of a session log: the next reading goes on from there, and needs no file. */
export class Remembered {
  readonly windows = new Map<Name, { readonly recent: Recent; readonly events: BriefEvent[] }>();
}

/** The recent events in brief, those included that came since the file was written; of very many, not all. */
export async function readRecent(folder: string, now: number, remembered?: Remembered): Promise<BriefEvent[]> {
  return (await readOn("recent", folder, { days: RECENT_DAYS, now }, RECENT, remembered)).events;
}

/** The ledger, those entries included that came since the file was written; `isWhole` is false where these are too many. */
export function readLedger(
  folder: string,
  now: number,
  remembered?: Remembered,
): Promise<{ events: BriefEvent[]; isWhole: boolean }> {
  return readOn("ledger", folder, { now }, LEDGER, remembered);
}

/** Those of them that the start of a session may need. */
export async function readStart(folder: string, now: number): Promise<BriefEvent[]> {
  return (await readOn("start", folder, { days: RECENT_DAYS, now }, RECENT)).events;
}

/** What was purged or dropped must not stay in the files. */
export function forgetRecent(folder: string): void {
  for (const name of Object.keys(FILES) as Name[]) rmSync(pathIn(folder, name), { force: true });
}

async function readOn(
  name: Name,
  folder: string,
  { days, now }: { readonly days?: number; readonly now: number },
  rule: WindowRule,
  remembered?: Remembered,
): Promise<{ events: BriefEvent[]; isWhole: boolean }> {
  const files = logFiles(folder);
  const before = remembered?.windows.get(name);
  const known = before?.recent ?? readFile(folder, name);
  const back = days !== undefined && !known ? DAYS_WITHOUT_FILE : days;
  const range = { bytes: TAIL_BYTES, ...(back !== undefined && { from: daysBefore(now, back) }) };
  const changes = await changesSince(files, known?.cursor, range);
  if (changes.more && before) {
    // Too much for this process to catch up with; a capture has written it down.
    remembered?.windows.delete(name);
    return readOn(name, folder, { now, ...(days !== undefined && { days }) }, rule, remembered);
  }
  const recent = withChanges(known ?? NOTHING_RECENT, changes, rule);
  const events = before && recent.segments === before.recent.segments ? before.events : eventsIn(recent);
  if (known) remembered?.windows.set(name, { recent, events });
  const { pending } = await files.purged.read();
  const shown = pending.length === 0 ? events : events.filter((event) => !findPurge(pending, event));
  return { events: shown, isWhole: !changes.more };
}

function readFile(folder: string, name: Name): Recent | undefined {
  try {
    const bytes = readFileSync(pathIn(folder, name));
    countRead(bytes.length);
    const { format, ...recent } = JSON.parse(bytes.toString("utf8"));
    return format === FORMAT ? recent : undefined;
  } catch {
    return undefined;
  }
}

function writeFile(folder: string, name: Name, recent: Recent): Promise<void> {
  return changeUserFile(pathIn(folder, name), () => JSON.stringify({ format: FORMAT, ...recent }));
}

const daysBefore = (now: number, days: number): string => new Date(now - days * DAY_MS).toISOString().slice(0, 10);

const pathIn = (folder: string, name: Name): string => join(folder, "index", FILES[name]);
