/** The fold turns a set of lines into a memory. The order of the lines doesn't matter (docs/design/lessons.md, "Reading is a fold"). */
import { groupBy } from "../../ground/core/collections.ts";
import { byIdThenBytes, toLine, type VersionLine } from "../format/file-lines.ts";
import { instantOf, OLDEST, type Version } from "../format/lesson.ts";
import {
  isLessonLine,
  type LessonLine,
  latestFirst,
  saidBeside,
  sourcesOf,
  winnerOf,
} from "./versions.ts";

/** A memory to read from. To change it, make a working copy. */
export type Snapshot = Omit<WorkingCopy, "add">;

/** Folds lines into a memory. @param lines by id, then byte-wise, as in a file. */
export const fold = (lines: readonly VersionLine[]): Snapshot => new WorkingCopy(lines);

/** A line that covers an id, and the last revision that it covers, in ms since 1970. */
interface Cover {
  readonly line: VersionLine;
  readonly until: number;
}

/** A fold that can change. Add versions, then prune it (prune.ts) and write it. */
export class WorkingCopy {
  readonly #versions: Map<string, readonly VersionLine[]>;
  /** The covers of each id. */
  readonly #covers = new Map<string, readonly Cover[]>();
  /** Caches the lesson that shows under an id. */
  readonly #shown = new Map<string, LessonLine | undefined>();
  #lines: readonly VersionLine[] | undefined;
  #lessons: readonly LessonLine[] | undefined;

  /** @param lines by id, then byte-wise, as in a file. */
  constructor(lines: readonly VersionLine[]) {
    this.#lines = lines;
    this.#versions = groupBy(lines, ({ version }) => version.id);
    for (const line of lines) {
      this.#addCovers(line);
    }
  }

  /** Adds a version. It shows if its revision is the highest of its id. */
  add(version: Version): VersionLine {
    const line = toLine(version);
    const lines = [...this.versions(version.id), line].sort(byIdThenBytes);
    this.#versions.set(version.id, lines);
    this.#addCovers(line);
    this.#lines = undefined;
    this.#lessons = undefined;
    this.#shown.clear();
    return line;
  }

  /** How many lessons show. */
  get count(): number {
    return this.lessons().length;
  }

  /** The lessons that show, in the order of the file. */
  lessons(): readonly LessonLine[] {
    this.#lessons ??= [...this.groups().keys()].flatMap((id) => this.shown(id) ?? []);
    return this.#lessons;
  }

  /** The lesson that shows under an id. Undefined if it's hidden, or no version has the id. */
  shown(id: string): LessonLine | undefined {
    if (!this.#shown.has(id)) {
      this.#shown.set(id, this.#findShown(id));
    }
    return this.#shown.get(id);
  }

  /** Every version of an id in the file, whether it shows or not. */
  versions(id: string): readonly VersionLine[] {
    return this.#versions.get(id) ?? [];
  }

  /** Every version, grouped by id, in the order of the file. */
  groups(): ReadonlyMap<string, readonly VersionLine[]> {
    return groupBy(this.lines(), ({ version }) => version.id);
  }

  /** Every version, in the order of the file: by id, then byte-wise. */
  lines(): readonly VersionLine[] {
    this.#lines ??= [...this.#versions.values()].flat().sort(byIdThenBytes);
    return this.#lines;
  }

  /** Whether another lesson covers this version. */
  covered(line: VersionLine): boolean {
    const covers = this.#covers.get(line.version.id);
    return covers?.some(({ until }) => line.instant <= until) ?? false;
  }

  /** The principle or tombstone that covers a hidden lesson. */
  coveredBy(id: string): VersionLine | undefined {
    if (this.shown(id)) {
      return undefined;
    }
    const winner = winnerOf(this.versions(id));
    return winner && !this.covered(winner) ? winner : this.coverers(id)[0];
  }

  /** The lines that cover an id up to the latest revision, latest first. */
  coverers(id: string): readonly VersionLine[] {
    const latest = this.#coveredUntil(id);
    const covers = this.#coversOf(id).filter(({ until }) => until >= latest);
    return covers.map(({ line }) => line).sort(latestFirst);
  }

  /** A new version of an id must be later than these instants, in ms since 1970. */
  instants(id: string): number[] {
    return [...this.versions(id).map((line) => line.instant), this.#coveredUntil(id)];
  }

  #addCovers(line: VersionLine): void {
    for (const [source, revision] of sourcesOf(line.version)) {
      const cover = { line, until: instantOf(revision) };
      this.#covers.set(source, [...this.#coversOf(source), cover]);
    }
  }

  #coversOf(id: string): readonly Cover[] {
    return this.#covers.get(id) ?? [];
  }

  #coveredUntil(id: string): number {
    return Math.max(OLDEST, ...this.#coversOf(id).map(({ until }) => until));
  }

  #findShown(id: string): LessonLine | undefined {
    const versions = this.versions(id);
    const line = winnerOf(versions);
    if (!line || !isLessonLine(line) || this.covered(line)) {
      return undefined;
    }
    const also = saidBeside(line, versions).filter((other) => !this.covered(other));
    return also.length > 0 ? { ...line, also } : line;
  }
}
