/**
 * What a reading of the memory knows. A snapshot never changes: to change the memory, fold a `WorkingCopy` (fold.ts).
 */
import type { VersionLine } from "../format/file-lines.ts";
import type { LessonLine } from "./versions.ts";

export interface Snapshot {
  /** How many lessons show. */
  readonly count: number;

  /** The lessons that show, in no particular order. */
  lessons(): readonly LessonLine[];

  /** What shows under an id: nothing, one lesson, or several whose different texts hash to the same id. */
  shown(id: string): readonly LessonLine[];

  /** Every version of an id that the file holds, shown or not. */
  versions(id: string): readonly VersionLine[];

  /** Every version of every id, grouped by id. */
  groups(): IterableIterator<[string, readonly VersionLine[]]>;

  /** Every version, in the order of the file: by id, then byte-wise. */
  lines(): readonly VersionLine[];

  /** Whether another record stands for this version. */
  covered(line: VersionLine): boolean;

  /** The principle or tombstone that stands for a record which no longer shows. */
  coveredBy(id: string): VersionLine | undefined;

  /** For every covered id, the lines that cover it furthest, latest first. */
  coverers(): ReadonlyMap<string, readonly VersionLine[]>;

  /** The instants, in ms since 1970, that a new version of an id has to be later than. */
  instants(id: string): number[];
}
