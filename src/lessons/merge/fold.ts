/**
 * The fold: what a set of lines knows, no matter who wrote them and in which order they were merged.
 *
 * Two rules decide what shows. Per record the highest revision wins. A record is covered, and so hidden, when a principle or
 * tombstone names it in `sources` with a revision that is not below its own. Both rules look only at the set of lines, so
 * uniting two files (a git merge) gives the memory that both sides together know.
 */
import { byIdThenBytes, toLine, type VersionLine } from "../format/file-lines.ts";
import type { Version } from "../format/record.ts";
import { instantOf, OLDEST } from "../format/revision.ts";
import { withJoinedCues } from "./joined-cues.ts";
import type { Snapshot } from "./snapshot.ts";
import { isLessonLine, type LessonLine, latestFirst, sourcesOf, winnersOf } from "./versions.ts";

/** Folds lines into what they know together. */
export function fold(lines: readonly VersionLine[]): Snapshot {
  return WorkingCopy.of(lines);
}

/** A fold that versions can be added to, before it is pruned (prune.ts) and written. */
export class WorkingCopy implements Snapshot {
  /** Every version, by id. */
  readonly #versions: Map<string, readonly VersionLine[]>;
  /** The highest revision up to which an id is covered. */
  readonly #covers: Map<string, string>;
  /** What shows, by id: one line, or several where different texts share an id. */
  readonly #shown: Map<string, readonly LessonLine[]>;
  #count: number;
  /** `lessons()` and `lines()`, each made when first asked for. */
  #lessons: readonly LessonLine[] | undefined;
  #lines: readonly VersionLine[] | undefined;

  private constructor(
    versions: Iterable<[string, readonly VersionLine[]]> = [],
    covers: Iterable<[string, string]> = [],
    shown: Iterable<[string, readonly LessonLine[]]> = [],
    count = 0,
  ) {
    this.#versions = new Map(versions);
    this.#covers = new Map(covers);
    this.#shown = new Map(shown);
    this.#count = count;
  }

  static of(lines: readonly VersionLine[]): WorkingCopy {
    const copy = new WorkingCopy();
    for (const line of lines) copy.#enter(line);
    for (const id of copy.#versions.keys()) copy.#show(id);
    return copy;
  }

  /** A copy to change; the original stays as it is. */
  static from(snapshot: Snapshot): WorkingCopy {
    if (!(snapshot instanceof WorkingCopy)) return WorkingCopy.of(snapshot.lines());
    return new WorkingCopy(snapshot.#versions, snapshot.#covers, snapshot.#shown, snapshot.#count);
  }

  /** Adds a version; it replaces what shows when its revision is the highest. */
  add(version: Version): VersionLine {
    const line = toLine(version);
    this.#lessons = undefined;
    this.#lines = undefined;
    this.#enter(line);
    this.#show(version.id);
    for (const [id] of sourcesOf(version)) this.#show(id);
    return line;
  }

  get count(): number {
    return this.#count;
  }

  lessons(): readonly LessonLine[] {
    this.#lessons ??= [...this.#shown.values()].flat();
    return this.#lessons;
  }

  shown(id: string): readonly LessonLine[] {
    return this.#shown.get(id) ?? [];
  }

  versions(id: string): readonly VersionLine[] {
    return this.#versions.get(id) ?? [];
  }

  groups(): IterableIterator<[string, readonly VersionLine[]]> {
    return this.#versions.entries();
  }

  lines(): readonly VersionLine[] {
    this.#lines ??= [...this.#versions.values()].flat().sort(byIdThenBytes);
    return this.#lines;
  }

  covered(line: VersionLine): boolean {
    const cover = this.#covers.get(line.version.id);
    return cover !== undefined && line.instant <= instantOf(cover);
  }

  coveredBy(id: string): VersionLine | undefined {
    if (this.shown(id).length > 0) return undefined;
    const tombstone = winnersOf(this.versions(id)).find((line) => !this.covered(line));
    if (tombstone || !this.#covers.has(id)) return tombstone;
    return this.coverers().get(id)?.[0];
  }

  coverers(): Map<string, VersionLine[]> {
    const coverers = new Map<string, VersionLine[]>();
    for (const line of this.lines()) {
      for (const [id, revision] of sourcesOf(line.version)) {
        if (instantOf(revision) < this.#coverOf(id)) continue;
        coverers.set(id, [...(coverers.get(id) ?? []), line].sort(latestFirst));
      }
    }
    return coverers;
  }

  instants(id: string): number[] {
    return [...this.versions(id).map((line) => line.instant), this.#coverOf(id)];
  }

  #enter(line: VersionLine): void {
    const { id } = line.version;
    const others = this.#versions.get(id);
    this.#versions.set(id, others ? [...others, line].sort(byIdThenBytes) : [line]);
    for (const [source, revision] of sourcesOf(line.version)) {
      const cover = this.#covers.get(source);
      if (cover === undefined || instantOf(revision) > instantOf(cover)) this.#covers.set(source, revision);
    }
  }

  #show(id: string): void {
    const versions = this.versions(id);
    const winners = winnersOf(versions).filter((line): line is LessonLine => isLessonLine(line) && !this.covered(line));
    const lessons = winners.map((line) => withJoinedCues(line, versions));
    this.#count += lessons.length - this.shown(id).length;
    if (lessons.length > 0) this.#shown.set(id, lessons);
    else this.#shown.delete(id);
  }

  #coverOf(id: string): number {
    const cover = this.#covers.get(id);
    return cover === undefined ? OLDEST : instantOf(cover);
  }
}
