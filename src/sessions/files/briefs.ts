/**
 * Events in brief for session starts, bundles and lists. `index/` caches them for each day file, because reading 14 days
 * of events, or the ledger of a long log, takes longer than a session start may. (docs/design/sessions.md, "Resuming")
 */
import { readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { tryOr } from "../../ground/core/errors.ts";
import { linesOf } from "../../ground/files/append-log.ts";
import { makePrivateFolder, writePrivateFile } from "../../ground/files/private-file.ts";
import { countRead } from "../../ground/files/read-files.ts";
import { lookAt, STAGING } from "../../ground/files/replace-file.ts";
import type { BriefEvent } from "../kinds/event.ts";
import { briefsInOrder, briefsOf, firstRecentDay, isInLedger } from "../resume/recent.ts";
import type { Window } from "../store.ts";
import { type DayFiles, readDayFile, whileReplaced } from "./day-files.ts";
import { eventsOf } from "./event-line.ts";
import { logFiles } from "./log-files.ts";
import { purgedBy } from "./purged-list.ts";

/** Raise it when the briefs of a kind change. */
const VERSION = 2;
const CACHE = "briefs.json";
/** The events of a daemon's log, which has no day files. */
const DAEMON = "daemon.json";

/** The briefs of a day file. */
interface FileBriefs {
  /** Differs if the file has changed since. */
  readonly stamp: string;
  readonly events: readonly BriefEvent[];
}

/** By name of the day file. */
type CachedBriefs = Readonly<Record<string, FileBriefs>>;

/** The briefs that a process has read. Its next read needn't parse the cache again. */
export interface KnownBriefs {
  files?: CachedBriefs;
}

/** The events of a window in order of time. @param now ms since 1970. @param known is updated. */
export async function readBriefs(
  folder: string,
  window: Window,
  now: number,
  known: KnownBriefs = {},
): Promise<BriefEvent[]> {
  const { days, purged } = logFiles(folder);
  const before = known.files ?? readCache(folder);
  const files = await currentBriefs(days, before, now, window);
  known.files = { ...before, ...files };
  const events = Object.values(files).flatMap((file) => file.events);
  const isPending = purgedBy((await purged.read()).pending);
  const inWindow =
    window === "ledger"
      ? events.filter(isInLedger)
      : [...(readJson<BriefEvent[]>(folder, DAEMON) ?? []), ...events];
  return briefsInOrder(inWindow).filter((event) => !isPending(event));
}

/** Brings the cache up to date. Call it under the session log's lock. @param now ms since 1970. */
export async function updateBriefs(folder: string, now: number): Promise<void> {
  const before = readCache(folder);
  const files = await currentBriefs(logFiles(folder).days, before, now, "ledger");
  if (JSON.stringify(files) !== JSON.stringify(before)) writeJson(folder, CACHE, files);
}

/** Removes the cache. Call it under the session log's lock. */
export const forgetBriefs = (folder: string): void => remove(folder, CACHE);

/** Replaces the cached events of a daemon's log. Call it under the session log's lock. */
export function keepDaemonBriefs(folder: string, events: readonly BriefEvent[]): void {
  writeJson(folder, DAEMON, events);
}

/** Removes the cached events of a daemon's log. */
export const forgetDaemonBriefs = (folder: string): void => remove(folder, DAEMON);

/** The briefs of a window's days. Earlier days have only those of the ledger. @param before briefs that may still be current. */
async function currentBriefs(
  days: DayFiles,
  before: CachedBriefs,
  now: number,
  window: Window,
): Promise<CachedBriefs> {
  const first = firstRecentDay(now);
  return whileReplaced(async () => {
    const current: Record<string, FileBriefs> = {};
    for (const { name, day, path } of days.list(window === "recent" ? first : "")) {
      const stamp = `${VERSION} ${lookAt(path)?.stamp}`;
      const known = before[name];
      const events =
        known?.stamp === stamp
          ? known.events
          : briefsOf(eventsOf(linesOf(await readDayFile(path))));
      current[name] = { stamp, events: day < first ? events.filter(isInLedger) : events };
    }
    return current;
  });
}

const readCache = (folder: string): CachedBriefs => readJson<CachedBriefs>(folder, CACHE) ?? {};

/** Undefined for a missing or damaged file. */
function readJson<Value>(folder: string, name: string): Value | undefined {
  return tryOr(() => {
    const bytes = readFileSync(pathOf(folder, name));
    countRead(bytes.length);
    return JSON.parse(bytes.toString());
  }, undefined);
}

function writeJson(folder: string, name: string, value: unknown): void {
  const path = pathOf(folder, name);
  makePrivateFolder(dirname(path));
  writePrivateFile(path, Buffer.from(JSON.stringify(value)), path + STAGING, "briefs-staged");
}

/** Also removes the staging file of an interrupted write. */
function remove(folder: string, name: string): void {
  const path = pathOf(folder, name);
  for (const one of [path, path + STAGING]) rmSync(one, { force: true });
}

const pathOf = (folder: string, name: string): string => join(folder, "index", name);
