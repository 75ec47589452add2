/**
 * The files of events, `2026-11/2026-11-21.jsonl` and later generations, `2026-11-21.1.jsonl`: all of a day count. What takes lines out first renames
 * a file to `….jsonl.closed-1`; a writer that had it open notices, and appends again, without a lock (docs/design/sessions.md, "Purge and retention").
 */
import { existsSync, readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { appendLines } from "../../ground/files/append-log.ts";
import { hasCode, ignoreMissing } from "../../ground/files/file-errors.ts";
import { makePrivateFolder, OWNER_ONLY } from "../../ground/files/private-file.ts";
import { countRead } from "../../ground/files/read-count.ts";

/** A purge of every day takes longer than this many readings of one. */
const READ_TRIES = 20;
const NAME = /^(\d{4}-\d\d-\d\d)(?:\.(\d+))?\.jsonl(?:\.closed-(\d+))?$/;
const MONTH = /^\d{4}-\d\d$/;

export type DayFile = Readonly<ReturnType<DayFiles["list"]>[number]>;

export class DayFiles {
  readonly folder: string;
  /** Where the events of a day went last. A file that is closed loses this name. */
  readonly #paths = new Map<string, string>();

  constructor(folder: string) {
    this.folder = folder;
  }

  /** Appends lines to the file of a day and flushes them. */
  append(day: string, lines: readonly string[]): void {
    appendLines(() => this.#pathOf(day), lines, OWNER_ONLY);
  }

  /** Every file, the earliest day first. @param from the first day that is asked for. */
  list(from = "") {
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

  /** What is read of each file of a day; together they hold all of its events, also while another process rewrites them. */
  async readEach<Read>(
    day: string,
    read: (file: DayFile) => Read | Promise<Read>,
  ): Promise<readonly Read[]> {
    for (let tries = 1; ; tries++) {
      try {
        const files = this.#listMonth(monthOf(day)).filter((file) => file.day === day);
        return await Promise.all(files.map(async (file) => read(file)));
      } catch (error) {
        // It was rewritten or removed after it was listed.
        if (!hasCode(error, "ENOENT") || tries === READ_TRIES) throw error;
      }
    }
  }

  /** The path of a day's file of this generation. */
  pathFor(day: string, generation: number): string {
    return join(
      this.folder,
      monthOf(day),
      `${day}${generation === 0 ? "" : `.${generation}`}.jsonl`,
    );
  }

  #listMonth(month: string) {
    const files = settledNamesIn(join(this.folder, month)).flatMap((name) => {
      const [, day, generation = "0", next] = NAME.exec(name) ?? [];
      if (day === undefined || !day.startsWith(month)) return [];
      return [
        {
          /** Day and generation, `2026-11-21.0`: a name that no other content gets while the file is there. */
          name: `${day}.${generation}`,
          /** `2026-11-21`. */
          day,
          generation: Number(generation),
          /** Of a closed file, the generation that what stays of it gets. */
          next: next === undefined ? undefined : Number(next),
          path: join(this.folder, month, name),
        },
      ];
    });
    return files.sort((a, b) =>
      a.day === b.day ? a.generation - b.generation : a.day < b.day ? -1 : 1,
    );
  }

  /** The newest file of a day that is open, or what the next one is called. */
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

/** The day of a file. @param name of day and generation. */
export const dayInName = (name: string): string => name.slice(0, 10);

/** The day in UTC on which an event happened. */
export const dayOf = ({ ts }: { readonly ts: string }): string => ts.slice(0, 10);

/** Beyond every generation that a closed file has or will get, so that no name means two files. */
export function generationAfter(files: readonly DayFile[]): number {
  return (
    Math.max(-1, ...files.map(({ generation, next = generation }) => Math.max(generation, next))) +
    1
  );
}

function generationToWrite(files: readonly DayFile[]): number {
  const open = files.filter(({ next }) => next === undefined).map(({ generation }) => generation);
  return open.length > 0 ? Math.max(...open) : generationAfter(files);
}

/** While a file is renamed, a listing may show neither of its names: two that agree are right. */
function settledNamesIn(folder: string): string[] {
  let names = namesIn(folder);
  for (let tries = 1; tries < READ_TRIES; tries++) {
    const again = namesIn(folder);
    if (again.join() === names.join()) break;
    names = again;
  }
  return names;
}

/** `2026-11`, of a day or a file's name. */
const monthOf = (name: string): string => name.slice(0, 7);

const namesIn = (folder: string): string[] => ignoreMissing(() => readdirSync(folder)) ?? [];
