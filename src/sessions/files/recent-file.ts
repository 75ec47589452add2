/** The windows of the record, in `index/`: a hook that starts a session reads one small file, not the log. Captures make them again. */
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { DAY_MS } from "../../ground/core/time.ts";
import { countRead } from "../../ground/files/read-count.ts";
import { changeUserFile } from "../../ground/files/user-folder.ts";
import type { BriefEvent } from "../kinds/event.ts";
import { pruneForSessionStart } from "../resume/at-start.ts";
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
import type { Window } from "../store.ts";
import { type ChangesRange, changesSince } from "./changes.ts";
import { logFiles } from "./log-files.ts";
import { purgedBy } from "./purged-list.ts";

/** What is read of events that came after the file was written, or where there is none. */
const TAIL_BYTES = 2_000_000;
const DAYS_WITHOUT_FILE = 1;
const STEP_BYTES = 8_000_000;
/** Of changes that one capture brings into the ledger: a session log that is years long takes several. */
const LEDGER_BYTES = 64_000_000;
const FORMAT = 7;
const WINDOWS: Readonly<
  Record<Name, { readonly file: string; readonly rule: WindowRule; readonly days?: number }>
> = {
  recent: { file: "recent.json", rule: RECENT, days: RECENT_DAYS },
  start: { file: "start.json", rule: RECENT, days: RECENT_DAYS },
  ledger: { file: "ledger.json", rule: LEDGER },
};
/** The `start` has those of the recent events that the start of a session may need. */
type Name = Window | "start";

/** Brings the files up to date. Call it under the session log's lock. @param now in ms since 1970. */
export async function followRecent(folder: string, now: number): Promise<void> {
  const recent = await followWindow("recent", folder, now, Number.POSITIVE_INFINITY);
  if (recent.cursor !== readFile(folder, "start")?.cursor)
    await writeFile(folder, "start", pruneForSessionStart(recent));
  await followWindow("ledger", folder, now, LEDGER_BYTES);
}

/** Keeps the recent events as a daemon tells them, and no others: what went there goes here. Call it under the session log's lock. */
export async function keepRecent(folder: string, events: readonly BriefEvent[]): Promise<void> {
  const recent = { segments: { "of the daemon": events } };
  await writeFile(folder, "recent", recent);
  await writeFile(folder, "start", pruneForSessionStart(recent));
}

async function followWindow(
  name: Window,
  folder: string,
  now: number,
  bytes: number,
): Promise<Recent> {
  const { days, rule } = WINDOWS[name];
  const files = logFiles(folder);
  const before = readFile(folder, name);
  let window = before ?? NOTHING_RECENT;
  let left = bytes;
  for (let more = true; more && left > 0; left -= STEP_BYTES) {
    const changes = await changesSince(files, window.cursor, rangeOf(days, now, STEP_BYTES));
    window = withChanges(window, changes, rule);
    more = changes.more;
  }
  if (window.cursor !== before?.cursor) await writeFile(folder, name, window);
  return window;
}

/** What a process has read of the windows of a session log: the next reading goes on from there, and needs no file. */
export type Remembered = Map<Name, { readonly recent: Recent; readonly events: BriefEvent[] }>;

/** The window's events in brief, with those since its file was written; not `isWhole` where these are too many. @param now in ms since 1970. */
export async function readWindow(
  name: Name,
  folder: string,
  now: number,
  remembered: Remembered = new Map(),
): Promise<{ events: BriefEvent[]; isWhole: boolean }> {
  const { days, rule } = WINDOWS[name];
  const files = logFiles(folder);
  const before = remembered.get(name);
  const known = before?.recent ?? readFile(folder, name);
  const back = days !== undefined && !known ? DAYS_WITHOUT_FILE : days;
  const changes = await changesSince(files, known?.cursor, rangeOf(back, now, TAIL_BYTES));
  if (changes.more && before) {
    // Too much for this process to catch up with; a capture has written it down.
    remembered.delete(name);
    return readWindow(name, folder, now, remembered);
  }
  const recent = withChanges(known ?? NOTHING_RECENT, changes, rule);
  const events =
    before && recent.segments === before.recent.segments ? before.events : eventsIn(recent);
  if (known) remembered.set(name, { recent, events });
  const { pending } = await files.purged.read();
  const isPending = purgedBy(pending);
  const shown = pending.length === 0 ? events : events.filter((event) => !isPending(event));
  return { events: shown, isWhole: !changes.more };
}

/** What was purged or dropped must not stay in the files. */
export function forgetRecent(folder: string): void {
  for (const name of Object.keys(WINDOWS) as Name[]) rmSync(pathIn(folder, name), { force: true });
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

/** @param days before today; all there are where it is absent. */
const rangeOf = (days: number | undefined, now: number, bytes: number): ChangesRange => ({
  bytes,
  ...(days !== undefined && { from: new Date(now - days * DAY_MS).toISOString().slice(0, 10) }),
});

const pathIn = (folder: string, name: Name): string => join(folder, "index", WINDOWS[name].file);
