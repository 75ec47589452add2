/**
 * The files of events: `2026-11/2026-11-21.jsonl` and later generations of the day, `2026-11-21.1.jsonl`.
 * All files of a day count. (docs/design/sessions.md, "Purge and retention")
 */
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { compare } from "../../ground/core/text.ts";
import { appendLines, linesOf } from "../../ground/files/append-log.ts";
import { faultPoint } from "../../ground/files/fault-points.ts";
import { hasCode, ignoreMissing } from "../../ground/files/file-errors.ts";
import {
  makePrivateFolder,
  OWNER_ONLY,
  writePrivateFile,
} from "../../ground/files/private-file.ts";
import { countRead } from "../../ground/files/read-files.ts";
import { flushFolder, STAGING } from "../../ground/files/replace-file.ts";
import { mustHoldLogLock } from "./log-lock.ts";

/** Reading a day takes less time than purging every day, so a purge can't use up the tries. */
const READ_TRIES = 20;
/** A purge of an earlier build that was killed may have left a file that ends in `.closed-1`. It counts like the others. */
const NAME = /^(\d{4}-\d\d-\d\d)(?:\.(\d+))?\.jsonl(?:\.closed-\d+)?$/;
const MONTH = /^\d{4}-\d\d$/;
const LINE_FEED = Buffer.of(0x0a);

export interface DayFile {
  /** Day and generation, `2026-11-21.0`. No other content gets the name while the file exists. */
  readonly name: string;
  /** `2026-11-21`. */
  readonly day: string;
  readonly generation: number;
  readonly path: string;
}

export class DayFiles {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  /** Appends lines to the newest file of a day and flushes them. Call it under the session log's lock. */
  append(day: string, lines: readonly string[]): void {
    const newestPath = () => {
      makePrivateFolder(join(this.folder, monthOf(day)));
      return this.#ofDay(day).at(-1)?.path ?? this.pathFor(day, 0);
    };
    appendLines(newestPath, lines, OWNER_ONLY);
  }

  /**
   * Replaces the files of a day by one of the next generation. Call it under the session log's lock. A kill leaves old files too, which
   * have the same events and those to remove.
   */
  rewrite(day: string, isKept: (line: Buffer) => boolean): void {
    const files = this.#ofDay(day);
    const lines = files.flatMap((file) => linesOf(readFileSync(file.path)));
    // A rewrite that was killed leaves the same lines in two files.
    const distinct = new Map(lines.map((line) => [line.toString("latin1"), line]));
    const kept = [...distinct.values()].filter(isKept);
    const path = this.pathFor(day, (files.at(-1)?.generation ?? -1) + 1);
    const bytes = Buffer.concat(kept.flatMap((line) => [line, LINE_FEED]));
    mustHoldLogLock();
    // It's written even without lines, because no other content may get an earlier name.
    writePrivateFile(path, bytes, `${path}${STAGING}day`, "day-staged");
    faultPoint("day-renamed");
    for (const file of files) {
      mustHoldLogLock();
      rmSync(file.path);
    }
    flushFolder(dirname(path));
  }

  /** Every file, the earliest day first. @param from the first day to list. */
  list(from = ""): DayFile[] {
    return namesIn(this.folder)
      .filter((month) => MONTH.test(month) && month >= monthOf(from))
      .sort()
      .flatMap((month) => this.#listMonth(month))
      .filter(({ day }) => day >= from);
  }

  /** The days that have files, the earliest first. */
  days(): string[] {
    return [...new Set(this.list().map(({ day }) => day))];
  }

  /** The bytes of a day's files. Together they contain all of its events, even if another process rewrites them meanwhile. */
  read(day: string): Promise<readonly Buffer[]> {
    return whileReplaced(() => {
      const paths = this.#ofDay(day).map(({ path }) => path);
      return Promise.all(paths.map(readDayFile));
    });
  }

  /** The lines of a day's files. */
  async lines(day: string): Promise<readonly Buffer[]> {
    return (await this.read(day)).flatMap(linesOf);
  }

  /** The path of a day's file of this generation. */
  pathFor(day: string, generation: number): string {
    const suffix = generation === 0 ? "" : `.${generation}`;
    return join(this.folder, monthOf(day), `${day}${suffix}.jsonl`);
  }

  #ofDay(day: string): DayFile[] {
    return this.#listMonth(monthOf(day)).filter((file) => file.day === day);
  }

  #listMonth(month: string): DayFile[] {
    const folder = join(this.folder, month);
    const files = settledNamesIn(folder).map((name) => dayFile(folder, name));
    return files
      .filter((file) => file?.day.startsWith(month))
      .filter((file) => file !== undefined)
      .sort((a, b) => compare(a.day, b.day) || a.generation - b.generation);
  }
}

/** The day in UTC on which an event happened. */
export const dayOf = ({ ts }: { readonly ts: string }): string => ts.slice(0, 10);

/** Reads a day file. @throws the file system's error. */
export async function readDayFile(path: string): Promise<Buffer> {
  const bytes = await readFile(path);
  countRead(bytes.length);
  return bytes;
}

/** Lists and reads day files again if a purge replaced one after it was listed. */
export async function whileReplaced<Result>(read: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries++) {
    try {
      return await read();
    } catch (error) {
      if (!hasCode(error, "ENOENT") || tries === READ_TRIES) {
        throw error;
      }
    }
  }
}

/** Undefined if it isn't the name of a day file. */
function dayFile(folder: string, name: string): DayFile | undefined {
  const [, day, generation = "0"] = NAME.exec(name) ?? [];
  if (day === undefined) {
    return undefined;
  }
  return {
    name: `${day}.${generation}`,
    day,
    generation: Number(generation),
    path: join(folder, name),
  };
}

/** Lists until two listings agree, because one may miss both the file that a purge writes and the one that it removes. */
function settledNamesIn(folder: string): string[] {
  let names = namesIn(folder);
  for (let tries = 1; tries < READ_TRIES; tries++) {
    const again = namesIn(folder);
    if (again.join() === names.join()) {
      break;
    }
    names = again;
  }
  return names;
}

/** `2026-11`. */
const monthOf = (day: string): string => day.slice(0, 7);

const namesIn = (folder: string): string[] => ignoreMissing(() => readdirSync(folder)) ?? [];
