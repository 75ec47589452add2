/** The fold: it reads a set of lines into a memory. Their writers and their order change nothing (docs/design/lessons.md, "Reading is a fold"). */
import { groupBy } from "../../ground/core/group-by.ts";
import { LayeredMap } from "../../ground/core/layered-map.ts";
import { byIdThenBytes, toLine, type VersionLine } from "../format/file-lines.ts";
import { instantOf, OLDEST, type Version } from "../format/lesson.ts";
import { withJoinedCues } from "./joined-cues.ts";
import { KEYS, LineIndex } from "./line-index.ts";
import {
  isLessonLine,
  type LessonLine,
  latestFirst,
  saidBeside,
  sourcesOf,
  winnersOf,
} from "./versions.ts";

/** A reading of the memory. It never changes: to change the memory, make a working copy. */
export type Snapshot = Omit<WorkingCopy, "add" | "remove">;

/** Folds lines into what they know together. @param lines in the order of a file. */
export const fold = (lines: readonly VersionLine[]): Snapshot => WorkingCopy.of(lines);

/** That an id is covered, and up to when, in ms since 1970. */
interface Cover {
  readonly line: VersionLine;
  readonly until: number;
}

/** A fold that versions can be added to, before it is pruned (prune.ts) and written. */
export class WorkingCopy {
  /** By id; undefined until somebody asks, which the reading of a plain file never does. */
  #byId: LayeredMap<string, readonly VersionLine[]> | undefined;
  readonly #covers: LayeredMap<string, readonly Cover[]>;
  /** Lines that show, by id: one, or several where different texts share an id. Other ids show all their versions: one log, nearly always. */
  readonly #shown: LayeredMap<string, readonly LessonLine[]>;
  readonly #untidy: LayeredMap<string, true>;
  readonly #indexes: Map<keyof typeof KEYS, LineIndex>;
  /** Index keys asked for so far: one set, shared by all related copies. */
  readonly #wanted: Set<keyof typeof KEYS>;
  #count: number;
  /** `lessons()`, made when first asked for. */
  #lessons: readonly LessonLine[] | undefined;
  /** `lines()`, likewise. */
  #lines: readonly VersionLine[] | undefined;

  private constructor(other?: WorkingCopy) {
    this.#byId = other ? other.#versions.copy() : undefined;
    this.#covers = other ? other.#covers.copy() : new LayeredMap();
    this.#shown = other ? other.#shown.copy() : new LayeredMap();
    this.#untidy = other ? other.#untidy.copy() : new LayeredMap();
    this.#wanted = other ? other.#wanted : new Set();
    // A copy takes over every index that a related copy needed, so that none is built again.
    this.#indexes = new Map(
      other ? [...this.#wanted].map((key) => [key, other.by(key).copy()]) : [],
    );
    this.#count = other?.count ?? 0;
    this.#lines = other?.lines();
  }

  /** @param lines in the order of a file. */
  static of(lines: readonly VersionLine[]): WorkingCopy {
    const copy = new WorkingCopy();
    copy.#lines = lines;
    for (const line of lines) copy.#cover(line);
    const lessons: LessonLine[] = [];
    for (const [place, line] of lines.entries()) {
      const { id } = line.version;
      if (id === lines[place - 1]?.version.id) continue;
      // Nearly every id is that of a log with one version, which shows as it stands.
      const isAlone =
        id !== lines[place + 1]?.version.id && line.bare === undefined && !copy.covered(line);
      lessons.push(
        ...(isAlone && line.version.type === "log" ? [line as LessonLine] : copy.#show(id)),
      );
    }
    copy.#count = lessons.length;
    copy.#lessons = lessons;
    return copy;
  }

  /** A copy to change; the original stays as it is. */
  static from(snapshot: Snapshot): WorkingCopy {
    return snapshot instanceof WorkingCopy
      ? new WorkingCopy(snapshot)
      : WorkingCopy.of(snapshot.lines());
  }

  /** Adds a version; it replaces what shows when its revision is the highest. */
  add(version: Version): VersionLine {
    const line = toLine(version);
    this.#enter(line);
    this.#showAll(version);
    return line;
  }

  /** Takes out a line as if it had never been there. */
  remove(line: VersionLine): void {
    this.#leave(line);
    this.#showAll(line.version);
  }

  /** How many lessons show. */
  get count(): number {
    return this.#count;
  }

  /** The lessons that show, in the order of the file. */
  lessons(): readonly LessonLine[] {
    this.#lessons ??= [...this.groups()].flatMap(([id]) => this.shown(id));
    return this.#lessons;
  }

  /** The lessons that show, by a key; made when first asked for, and kept by what is made from this snapshot. */
  by(key: keyof typeof KEYS): LineIndex {
    this.#wanted.add(key);
    const index = this.#indexes.get(key) ?? LineIndex.of(KEYS[key], this.lessons());
    this.#indexes.set(key, index);
    return index;
  }

  /** The lessons that show under an id: none, one lesson, or several whose different texts hash to the same id. */
  shown(id: string): readonly LessonLine[] {
    return this.#shown.get(id) ?? (this.versions(id) as readonly LessonLine[]);
  }

  /** Every version of an id that the file holds, shown or not. */
  versions(id: string): readonly VersionLine[] {
    return this.#versions.get(id) ?? [];
  }

  /** Every version of every id, grouped by id, in the order of the file. */
  *groups(): IterableIterator<[string, readonly VersionLine[]]> {
    let last: string | undefined;
    for (const { version } of this.lines()) {
      if (version.id !== last) yield [version.id, this.versions(version.id)];
      last = version.id;
    }
  }

  /** Every version, in the order of the file: by id, then byte-wise. */
  lines(): readonly VersionLine[] {
    this.#lines ??= [...this.#versions].flatMap(([, versions]) => versions).sort(byIdThenBytes);
    return this.#lines;
  }

  /** Whether another lesson stands for this version. */
  covered(line: VersionLine): boolean {
    return (
      this.#covers.get(line.version.id) !== undefined &&
      line.instant <= this.#coverOf(line.version.id)
    );
  }

  /** The principle or tombstone that stands for a lesson which no longer shows. */
  coveredBy(id: string): VersionLine | undefined {
    if (this.shown(id).length > 0) return undefined;
    return winnersOf(this.versions(id)).find((line) => !this.covered(line)) ?? this.coverers(id)[0];
  }

  /** The lines that cover an id furthest, latest first. */
  coverers(id: string): readonly VersionLine[] {
    const furthest = (this.#covers.get(id) ?? []).filter(({ until }) => until >= this.#coverOf(id));
    return furthest.map(({ line }) => line).sort(latestFirst);
  }

  /** The ids of which a write may leave other lines: they have several versions, or one that is covered or without its id. */
  untidy(): readonly string[] {
    return [...this.#untidy].map(([id]) => id);
  }

  /** The instants, in ms since 1970, that a new version of an id has to be later than. */
  instants(id: string): number[] {
    return [...this.versions(id).map((line) => line.instant), this.#coverOf(id)];
  }

  get #versions(): LayeredMap<string, readonly VersionLine[]> {
    this.#byId ??= new LayeredMap(groupBy(this.#lines ?? [], ({ version }) => version.id));
    return this.#byId;
  }

  #enter(line: VersionLine): void {
    const { id } = line.version;
    const others = this.versions(id);
    this.#shown.set(id, this.shown(id));
    this.#versions.set(id, [...others, line].sort(byIdThenBytes));
    this.#lines = undefined;
    this.#cover(line);
  }

  #cover(line: VersionLine): void {
    for (const [source, revision] of sourcesOf(line.version)) {
      this.#covers.set(source, [
        ...(this.#covers.get(source) ?? []),
        { line, until: instantOf(revision) },
      ]);
    }
  }

  #leave(line: VersionLine): void {
    const { id } = line.version;
    const others = this.versions(id).filter((other) => other !== line);
    this.#shown.set(id, this.shown(id));
    setOrDelete(this.#versions, id, others);
    for (const [source] of sourcesOf(line.version)) {
      const covers = (this.#covers.get(source) ?? []).filter((cover) => cover.line !== line);
      setOrDelete(this.#covers, source, covers);
    }
    this.#lines = undefined;
  }

  #showAll(version: Version): void {
    this.#show(version.id);
    for (const [id] of sourcesOf(version)) this.#show(id);
  }

  /** Finds out what shows under an id now. */
  #show(id: string): readonly LessonLine[] {
    const [versions, before] = [this.versions(id), this.shown(id)];
    const isTidy =
      versions.length < 2 &&
      !versions.some((line) => line.bare !== undefined || this.covered(line));
    const lessons = this.#among(versions);
    this.#shown.set(id, lessons);
    if (isTidy) this.#untidy.delete(id);
    else this.#untidy.set(id, true);
    this.#count += lessons.length - before.length;
    this.#lessons = undefined;
    for (const index of this.#indexes.values()) {
      for (const line of before) if (!lessons.includes(line)) index.remove(line);
      for (const line of lessons) if (!before.includes(line)) index.add(line);
    }
    return lessons;
  }

  /** The lessons that show of the versions of an id. */
  #among(versions: readonly VersionLine[]): readonly LessonLine[] {
    const winners = winnersOf(versions).filter((line) => !this.covered(line));
    return winners.filter(isLessonLine).map((line) => {
      const also = saidBeside(line, versions).filter((other) => !this.covered(other));
      const shown = withJoinedCues(line, versions);
      return also.length > 0 ? { ...shown, also } : shown;
    });
  }

  #coverOf(id: string): number {
    const covers = this.#covers.get(id);
    return covers === undefined ? OLDEST : Math.max(...covers.map(({ until }) => until));
  }
}

function setOrDelete<T>(
  map: LayeredMap<string, readonly T[]>,
  id: string,
  items: readonly T[],
): void {
  if (items.length > 0) map.set(id, items);
  else map.delete(id);
}
