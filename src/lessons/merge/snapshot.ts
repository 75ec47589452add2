/** What a reading of the memory knows. A snapshot never changes: to change the memory, fold a `WorkingCopy` (fold.ts). */
import type { VersionLine } from "../format/file-lines.ts";
import type { KEYS, LineIndex } from "./line-index.ts";
import type { LessonLine } from "./versions.ts";

export interface Snapshot {
  /** How many lessons show. */
  readonly count: number;

  /** The lessons that show, in the order of the file. */
  lessons(): readonly LessonLine[];

  /** The lessons that show, by a key; made when first asked for, and kept by what is made from this snapshot. */
  by(key: keyof typeof KEYS): Pick<LineIndex, "get" | "entries">;

  /** What shows under an id: nothing, one lesson, or several whose different texts hash to the same id. */
  shown(id: string): readonly LessonLine[];

  /** Every version of an id that the file holds, shown or not. */
  versions(id: string): readonly VersionLine[];

  /** Every version of every id, grouped by id, in the order of the file. */
  groups(): IterableIterator<[string, readonly VersionLine[]]>;

  /** Every version, in the order of the file: by id, then byte-wise. */
  lines(): readonly VersionLine[];

  /** Whether another lesson stands for this version. */
  covered(line: VersionLine): boolean;

  /** The principle or tombstone that stands for a lesson which no longer shows. */
  coveredBy(id: string): VersionLine | undefined;

  /** The lines that cover an id furthest, latest first. */
  coverers(id: string): readonly VersionLine[];

  /** The ids of which a write may leave other lines: they have several versions, or one that is covered or without its id. */
  untidy(): readonly string[];

  /** The instants, in ms since 1970, that a new version of an id has to be later than. */
  instants(id: string): number[];
}
