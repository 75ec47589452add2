/**
 * The versions of a lesson: which of them counts, which are in conflict, and the fold that turns all lines into a memory. The order of the
 * lines doesn't matter (docs/design/lessons.md, "Reading is a fold").
 */
import { groupBy } from "../../ground/core/collections.ts";
import { memoizeByObject } from "../../ground/core/memoize.ts";
import { compare } from "../../ground/core/text.ts";
import { byIdThenBytes, toLine, type VersionLine } from "../format/file-lines.ts";
import {
  instantOf,
  isTombstone,
  type Lesson,
  lessonId,
  type Meta,
  OLDEST,
  sameText,
  textOf,
  type Version,
  writeVersion,
} from "../format/lesson.ts";

export interface LessonLine extends VersionLine {
  readonly version: Lesson;
  /** For a line that shows, the versions in conflict with it: other texts, or tombstones. Latest first. Absent without a conflict. */
  readonly also?: readonly VersionLine[];
}

export const isLessonLine = (line: VersionLine): line is LessonLine => !isTombstone(line.version);

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

/** The version of an id that counts: the latest head that isn't a tombstone, so a lesson that one branch forgot and another met at the same time still shows. */
export function winnerOf(versions: readonly VersionLine[]): VersionLine | undefined {
  const heads = headsOf(versions);
  return heads.find(isLessonLine) ?? heads[0];
}

/** Returns the newest versions of an id, latest first: those that no later version replaces. Several are in conflict. */
export function headsOf(versions: readonly VersionLine[]): readonly VersionLine[] {
  if (versions.length < 2) {
    return versions;
  }
  const heads: VersionLine[] = [];
  for (const line of [...versions].sort(latestFirst)) {
    if (!heads.some((later) => follows(later, line))) {
      heads.push(line);
    }
  }
  return heads;
}

/** Returns the versions in conflict with a line: heads of its id with another text. */
function saidBeside(line: LessonLine, versions: readonly VersionLine[]): readonly VersionLine[] {
  if (versions.length < 2) {
    return [];
  }
  const said = new Set([textOf(line.version)]);
  const others: VersionLine[] = [];
  for (const head of headsOf(versions)) {
    const text = isLessonLine(head) ? textOf(head.version) : "";
    if (!said.has(text)) {
      others.push(head);
    }
    said.add(text);
  }
  return others;
}

/** Highest revision first. At the same revision a tombstone, then the larger line, byte-wise. */
export function latestFirst(a: VersionLine, b: VersionLine): number {
  if (a.instant !== b.instant) {
    return compare(b.instant, a.instant);
  }
  // A line without an id is older than any that has one.
  if ((a.bare === undefined) !== (b.bare === undefined)) {
    return a.bare === undefined ? -1 : 1;
  }
  const tombstones = Number(isTombstone(b.version)) - Number(isTombstone(a.version));
  return tombstones || compare(b.raw, a.raw);
}

const NO_SOURCES = [] as const;

/** The sources of a version, except its own id (docs/design/lessons.md, "Reading is a fold"). */
export function sourcesOf({ id, meta }: Version): readonly (readonly [string, string])[] {
  if (!meta.sources) {
    return NO_SOURCES;
  }
  return Object.entries(meta.sources).filter(([source]) => source !== id);
}

/** Whether two versions differ only in their sources and cues. */
export function sameButForJoined(a: Version, b: Version): boolean {
  return writeVersion(withoutJoined(a)) === writeVersion(withoutJoined(b));
}

function withoutJoined(version: Version): Version {
  const { sources: _, source_count: __, cues: ___, ...meta } = version.meta;
  return { ...version, meta };
}

/** `meta.after` of a version. Revisions as timestamps. */
interface After {
  /** The version's own revision, absent if it is `created`. Another one means that an earlier release copied this field from the version that it changed. */
  readonly at?: string;
  /** The newest versions that the writer had read. Absent if the writer had read no version. */
  readonly seen?: readonly string[];
  /** The writer counts as having read all versions up to this one, because there are too many to list or an earlier release wrote them. */
  readonly until?: string;
}

const MOST_SEEN = 16;

/** Returns `meta.after` for a new version. @param versions all versions of its id in the memory. */
export function afterAll(
  versions: readonly VersionLine[],
  { created, updated = created }: Meta,
): After {
  const read = versions.map(readBy);
  const instants = new Set([
    ...versions.map(({ instant }) => instant),
    ...read.flatMap(({ seen }) => seen),
  ]);
  const newestFirst = [...instants].sort((a, b) => b - a);
  const until = Math.max(
    OLDEST,
    newestFirst[MOST_SEEN] ?? OLDEST,
    ...read.map(({ readUntil }) => readUntil),
  );
  const seen = newestFirst.filter((instant) => instant > until).map(timestamp);
  return {
    at: updated === created ? undefined : updated,
    seen: seen.length > 0 ? seen : undefined,
    until: until > OLDEST ? timestamp(until) : undefined,
  };
}

/** Whether a version replaces an earlier one of its id: its writer had read it, and both are of one lesson. */
export function follows(line: VersionLine, earlier: VersionLine): boolean {
  const { seen, readUntil } = readBy(line);
  const isRead = earlier.instant <= readUntil || seen.includes(earlier.instant);
  return isRead && !areTwoLessons(line, earlier);
}

/** Whether two lines have one id because the joins of their texts are equal. An edited lesson keeps its id with another text. */
export function areTwoLessons(a: VersionLine, b: VersionLine): boolean {
  if (!isLessonLine(a) || !isLessonLine(b) || sameText(a.version, b.version)) {
    return false;
  }
  return [a, b].every(({ version }) => lessonId(version) === version.id);
}

/** The versions that the writer of a line had read, in ms since 1970. Without `after`, all older ones count as read. */
const readBy = memoizeByObject(
  ({
    version,
    instant,
  }: VersionLine): { readonly seen: readonly number[]; readonly readUntil: number } => {
    const { after } = version.meta;
    if (!isAfter(after)) {
      return { seen: [], readUntil: instant };
    }
    const seen = (after.seen ?? []).map(instantOf);
    const at = instantOf(after.at ?? version.meta.created);
    // An older release copied `after` from the version that it changed, so it had read that one too.
    if (at !== instant) {
      seen.push(at);
    }
    return { seen, readUntil: instantOf(after.until ?? "") };
  },
);

function isAfter(value: unknown): value is After {
  if (typeof value !== "object" || value === null) {
    return false;
  }
  const { at = "", seen = [], until = "" } = value as Record<string, unknown>;
  const isList = Array.isArray(seen) && seen.every((revision) => typeof revision === "string");
  return typeof at === "string" && isList && typeof until === "string";
}

const timestamp = (instant: number): string => new Date(instant).toISOString();
