/**
 * Events in brief for session starts, bundles and lists. `index/` caches them for each day file, because reading 14 days
 * of events, or the ledger of a long log, takes longer than a session start may. (docs/design/sessions.md, "Resuming")
 */
import { readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { tryOr } from "../../ground/core/errors.ts";
import { linesOf, linesWith } from "../../ground/files/append-log.ts";
import { makePrivateFolder, writePrivateFile } from "../../ground/files/private-file.ts";
import { countRead } from "../../ground/files/read-files.ts";
import { lookAt, STAGING } from "../../ground/files/replace-file.ts";
import { type BriefEvent, KINDS } from "../kinds/event.ts";
import { kindNamed } from "../kinds/kinds.ts";
import { briefsInOrder, firstRecentDay, LEDGER, RECENT } from "../resume/recent.ts";
import type { Window } from "../store.ts";
import { type DayFile, type DayFiles, readDayFile, whileReplaced } from "./day-files.ts";
import { eventsOf } from "./event-line.ts";
import { logFiles } from "./log-files.ts";
import { purgedBy } from "./purged-list.ts";

/** Raise it when the briefs of a kind change. */
const VERSION = 1;
const RULES = { recent: RECENT, ledger: LEDGER } as const;
const WINDOWS: readonly Window[] = ["recent", "ledger"];
/** The events of a daemon's log, which has no day files. */
const DAEMON = "daemon.json";
/** For the ledger, only lines with one of these need to be parsed. */
const LEDGER_MARKS = KINDS.filter((kind) => kindNamed(kind)?.mostInLedger !== undefined).map(
  (kind) => Buffer.from(`"${kind}"`),
);

/** The briefs of a day file. */
interface FileBriefs {
  /** Differs if the file has changed since. */
  readonly stamp: string;
  readonly events: readonly BriefEvent[];
}

/** By name of the day file. */
type CachedBriefs = Readonly<Record<string, FileBriefs>>;

/** The windows that a process has read. Its next read needn't parse the cache again. */
export type KnownBriefs = Partial<Record<Window, CachedBriefs>>;

/** The events of a window in order of time. @param now ms since 1970. @param known is updated. */
export async function readBriefs(
  folder: string,
  window: Window,
  now: number,
  known: KnownBriefs = {},
): Promise<BriefEvent[]> {
  const { days } = logFiles(folder);
  const before = known[window] ?? readCache(folder, window);
  const cached = await currentBriefs(days, window, now, before);
  known[window] = cached;
  const ofDaemon = window === "recent" ? readJson<BriefEvent[]>(folder, DAEMON) : undefined;
  const events = briefsInOrder([...(ofDaemon ?? []), ...eventsIn(cached)]);
  return withoutPending(folder, events);
}

/** Brings the cache up to date. Call it under the session log's lock. @param now ms since 1970. */
export async function updateBriefs(folder: string, now: number): Promise<void> {
  const { days } = logFiles(folder);
  for (const window of WINDOWS) {
    const before = readCache(folder, window);
    const cached = await currentBriefs(days, window, now, before);
    if (!hasSameFiles(before, cached)) {
      writeJson(folder, fileOf(window), cached);
    }
  }
}

/** Removes the cache. Call it under the session log's lock. */
export function forgetBriefs(folder: string): void {
  for (const window of WINDOWS) {
    remove(folder, fileOf(window));
  }
}

/** Replaces the cached events of a daemon's log. Call it under the session log's lock. */
export function keepDaemonBriefs(folder: string, events: readonly BriefEvent[]): void {
  writeJson(folder, DAEMON, events);
}

/** Removes the cached events of a daemon's log. */
export const forgetDaemonBriefs = (folder: string): void => remove(folder, DAEMON);

/** @param before briefs that may still be current. */
async function currentBriefs(
  days: DayFiles,
  window: Window,
  now: number,
  before: CachedBriefs,
): Promise<CachedBriefs> {
  return whileReplaced(async () => {
    const cached: Record<string, FileBriefs> = {};
    for (const file of days.list(window === "recent" ? firstRecentDay(now) : "")) {
      const stamp = stampOf(file);
      const known = before[file.name];
      if (known?.stamp === stamp) {
        cached[file.name] = known;
      } else {
        const content = await readDayFile(file.path);
        cached[file.name] = { stamp, events: briefsIn(content, window) };
      }
    }
    return cached;
  });
}

function briefsIn(content: Buffer, window: Window): readonly BriefEvent[] {
  const { briefOf, keep } = RULES[window];
  const lines = window === "ledger" ? linesOfLedger(content) : linesOf(content);
  const briefs = eventsOf(lines).map(briefOf);
  return keep(briefs.filter((brief) => brief !== undefined));
}

function linesOfLedger(content: Buffer): readonly Buffer[] {
  const lines = new Map<number, Buffer>();
  for (const mark of LEDGER_MARKS) {
    for (const line of linesWith(content, mark)) {
      lines.set(line.byteOffset, line);
    }
  }
  return [...lines.values()];
}

async function withoutPending(
  folder: string,
  events: readonly BriefEvent[],
): Promise<BriefEvent[]> {
  const { pending } = await logFiles(folder).purged.read();
  const isPending = purgedBy(pending);
  return events.filter((event) => !isPending(event));
}

const eventsIn = (cached: CachedBriefs): readonly BriefEvent[] =>
  Object.values(cached).flatMap(({ events }) => events);

function hasSameFiles(one: CachedBriefs, other: CachedBriefs): boolean {
  const names = Object.keys(one);
  if (names.length !== Object.keys(other).length) {
    return false;
  }
  return names.every((name) => one[name] === other[name]);
}

const stampOf = ({ path }: DayFile): string => `${VERSION} ${lookAt(path)?.stamp}`;

const readCache = (folder: string, window: Window): CachedBriefs =>
  readJson<CachedBriefs>(folder, fileOf(window)) ?? {};

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
  for (const one of [path, path + STAGING]) {
    rmSync(one, { force: true });
  }
}

const fileOf = (window: Window): string => `${window}.json`;

const pathOf = (folder: string, name: string): string => join(folder, "index", name);
