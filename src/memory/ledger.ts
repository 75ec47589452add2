/**
 * The fold: what a set of lines knows, whoever wrote them and in whatever order they were merged.
 *
 * Two rules decide what shows. Per record the highest revision wins. A record is covered, and so hidden, when some
 * principle or tombstone names it in `sources` with a revision that is not below its own. Both rules look only at the set
 * of lines, so uniting two files (a git merge) gives the memory that both sides together know.
 *
 * A ledger is a working copy: `fork` it, `add` to the fork, settle it (settle.ts), write what is left.
 */
import { type ForeignLine, type Journal, type Mends, toLine, type VersionLine } from "./journal.ts";
import type { Version } from "./record.ts";
import { instantOf, OLDEST } from "./revision.ts";
import { isLessonLine, type LessonLine, latestFirst, sourcesOf, winnersOf } from "./versions.ts";

export class Ledger {
  readonly foreign: readonly ForeignLine[];
  readonly mends: Readonly<Mends>;
  /** Every version, by id. */
  readonly #versions: Map<string, readonly VersionLine[]>;
  /** The highest revision up to which an id is covered. */
  readonly #covers: Map<string, string>;
  /** What shows, by id: one line, or several where different texts share an id. */
  readonly #shown: Map<string, readonly LessonLine[]>;
  #count: number;

  private constructor(from: Ledger | Journal, mends = from.mends) {
    this.foreign = from.foreign;
    this.mends = mends;
    if (from instanceof Ledger) {
      this.#versions = new Map(from.#versions);
      this.#covers = new Map(from.#covers);
      this.#shown = new Map(from.#shown);
      this.#count = from.#count;
      return;
    }
    this.#versions = new Map();
    this.#covers = new Map();
    this.#shown = new Map();
    this.#count = 0;
    for (const line of from.versions) this.#enter(line);
    for (const id of this.#versions.keys()) this.#show(id);
  }

  static from(journal: Journal): Ledger {
    return new Ledger(journal);
  }

  /** A copy to change; the original stays as it is. */
  fork(mends = this.mends): Ledger {
    return new Ledger(this, mends);
  }

  /** How many lessons show. */
  get count(): number {
    return this.#count;
  }

  /** The lessons that show, in no particular order. */
  lessons(): LessonLine[] {
    return [...this.#shown.values()].flat();
  }

  /** What shows under an id: nothing, one lesson, or several whose different texts hash to the same id. */
  shown(id: string): readonly LessonLine[] {
    return this.#shown.get(id) ?? [];
  }

  /** Every version of an id that the file holds, shown or not. */
  versions(id: string): readonly VersionLine[] {
    return this.#versions.get(id) ?? [];
  }

  /** Every version of every id, grouped by id. */
  groups(): MapIterator<[string, readonly VersionLine[]]> {
    return this.#versions.entries();
  }

  /** Every version. */
  lines(): VersionLine[] {
    return [...this.#versions.values()].flat();
  }

  /** Whether some other record stands for this version. */
  covered(line: VersionLine): boolean {
    const cover = this.#covers.get(line.version.id);
    return cover !== undefined && line.instant <= instantOf(cover);
  }

  /** The principle or tombstone that stands for a record which does not show any more. */
  holder(id: string): VersionLine | undefined {
    if (this.shown(id).length > 0) return undefined;
    const tombstone = winnersOf(this.versions(id)).find((line) => !this.covered(line));
    if (tombstone || !this.#covers.has(id)) return tombstone;
    return this.coverers().get(id)?.[0];
  }

  /** For every covered id, the lines that cover it furthest, latest first. */
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

  /** The instants, in ms, that a new version of an id has to be later than. */
  instants(id: string): number[] {
    return [...this.versions(id).map((line) => line.instant), this.#coverOf(id)];
  }

  /** Adds a version; it replaces what shows when its revision is the highest. */
  add(version: Version): VersionLine {
    const line = toLine(version);
    this.#enter(line);
    this.#show(version.id);
    for (const [id] of sourcesOf(line.version)) this.#show(id);
    return line;
  }

  /**
   * Puts another line in the place of one, or none: what remains must still account for what goes (settle.ts), because all
   * that was covered stays covered.
   */
  replace(line: VersionLine, by?: VersionLine): void {
    const { id } = line.version;
    const others = this.versions(id).filter((other) => other !== line);
    if (others.length > 0 || by) this.#versions.set(id, others);
    else this.#versions.delete(id);
    if (by) this.#enter(by);
    this.#show(id);
  }

  #enter(line: VersionLine): void {
    const { id } = line.version;
    const others = this.#versions.get(id);
    this.#versions.set(id, others ? [...others, line] : [line]);
    for (const [source, revision] of sourcesOf(line.version)) {
      const cover = this.#covers.get(source);
      if (cover === undefined || instantOf(revision) > instantOf(cover)) this.#covers.set(source, revision);
    }
  }

  #show(id: string): void {
    const winners = winnersOf(this.versions(id)).filter((line) => !this.covered(line));
    const lessons = winners.filter(isLessonLine);
    this.#count += lessons.length - this.shown(id).length;
    if (lessons.length > 0) this.#shown.set(id, lessons);
    else this.#shown.delete(id);
  }

  #coverOf(id: string): number {
    const cover = this.#covers.get(id);
    return cover === undefined ? OLDEST : instantOf(cover);
  }
}
