/**
 * The files of events: `2026-11/2026-11-21.jsonl` and later generations of the day, `2026-11-21.1.jsonl`.
 * All files of a day count. A purge first renames a file to `….jsonl.closed-1`, so a writer that has it open notices
 * and appends again, without a lock. (docs/design/sessions.md, "Purge and retention")
 */
import { existsSync, readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { compare } from "../../ground/core/text.ts";
import { appendLines, linesOf } from "../../ground/files/append-log.ts";
import { hasCode, ignoreMissing } from "../../ground/files/file-errors.ts";
import { makePrivateFolder, OWNER_ONLY } from "../../ground/files/private-file.ts";
import { countRead } from "../../ground/files/read-count.ts";

/** Reading a day takes less time than purging every day, so a purge can't use up the tries. */
const READ_TRIES = 20;
const NAME = /^(\d{4}-\d\d-\d\d)(?:\.(\d+))?\.jsonl(?:\.closed-(\d+))?$/;
const MONTH = /^\d{4}-\d\d$/;

export interface DayFile {
  /** Day and generation, `2026-11-21.0`. No other content gets the name while the file exists. */
  readonly name: string;
  /** `2026-11-21`. */
  readonly day: string;
  readonly generation: number;
  /** The generation of the file that replaces a closed file. */
  readonly next: number | undefined;
  readonly path: string;
}

export class DayFiles {
  readonly folder: string;
  /** The file that each day was last appended to. A closed file loses this name. */
  readonly #paths = new Map<string, string>();

  constructor(folder: string) {
    this.folder = folder;
  }

  /** Appends lines to the file of a day and flushes them. */
  append(day: string, lines: readonly string[]): void {
    appendLines(() => this.#pathOf(day), lines, OWNER_ONLY);
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

  /** The files of a day with their bytes. */
  read(day: string): Promise<readonly { readonly file: DayFile; readonly bytes: Buffer }[]> {
    return this.readEach(day, async (file) => {
      const bytes = await readFile(file.path);
      countRead(bytes.length);
      return { file, bytes };
    });
  }

  /** The lines of a day's files. */
  async lines(day: string): Promise<readonly Buffer[]> {
    const files = await this.read(day);
    return files.flatMap(({ bytes }) => linesOf(bytes));
  }

  /** Reads each file of a day. Together they contain all of its events, even if another process rewrites them meanwhile. */
  async readEach<Read>(
    day: string,
    read: (file: DayFile) => Read | Promise<Read>,
  ): Promise<readonly Read[]> {
    for (let tries = 1; ; tries++) {
      try {
        const files = this.#listMonth(monthOf(day)).filter((file) => file.day === day);
        return await Promise.all(files.map(async (file) => read(file)));
      } catch (error) {
        // A file was rewritten or removed after it was listed.
        if (!hasCode(error, "ENOENT") || tries === READ_TRIES) throw error;
      }
    }
  }

  /** The path of a day's file of this generation. */
  pathFor(day: string, generation: number): string {
    const suffix = generation === 0 ? "" : `.${generation}`;
    return join(this.folder, monthOf(day), `${day}${suffix}.jsonl`);
  }

  #listMonth(month: string): DayFile[] {
    const folder = join(this.folder, month);
    const files = settledNamesIn(folder).map((name) => dayFile(folder, name));
    return files
      .filter((file) => file?.day.startsWith(month))
      .filter((file) => file !== undefined)
      .sort((a, b) => compare(a.day, b.day) || a.generation - b.generation);
  }

  /** The newest open file of a day, or the path of the next one. */
  #pathOf(day: string): string {
    const known = this.#paths.get(day);
    if (known !== undefined && existsSync(known)) return known;
    const month = monthOf(day);
    makePrivateFolder(join(this.folder, month));
    const files = this.#listMonth(month).filter((file) => file.day === day);
    const path = this.pathFor(day, generationToWrite(files));
    this.#paths.set(day, path);
    return path;
  }
}

/** The day in UTC on which an event happened. */
export const dayOf = ({ ts }: { readonly ts: string }): string => ts.slice(0, 10);

/** A generation after those that a day's files have or will get, so no name is used twice. */
export function generationAfter(files: readonly DayFile[]): number {
  const used = files.map(({ generation, next = generation }) => Math.max(generation, next));
  return Math.max(-1, ...used) + 1;
}

/** Undefined if it isn't the name of a day file. */
function dayFile(folder: string, name: string): DayFile | undefined {
  const [, day, generation = "0", next] = NAME.exec(name) ?? [];
  if (day === undefined) return undefined;
  return {
    name: `${day}.${generation}`,
    day,
    generation: Number(generation),
    next: next === undefined ? undefined : Number(next),
    path: join(folder, name),
  };
}

function generationToWrite(files: readonly DayFile[]): number {
  const open = files.filter(({ next }) => next === undefined).map(({ generation }) => generation);
  return open.length > 0 ? Math.max(...open) : generationAfter(files);
}

/** Lists until two listings agree, because one may miss a file that is being renamed. */
function settledNamesIn(folder: string): string[] {
  let names = namesIn(folder);
  for (let tries = 1; tries < READ_TRIES; tries++) {
    const again = namesIn(folder);
    if (again.join() === names.join()) break;
    names = again;
  }
  return names;
}

/** `2026-11`. */
const monthOf = (day: string): string => day.slice(0, 7);

const namesIn = (folder: string): string[] => ignoreMissing(() => readdirSync(folder)) ?? [];
