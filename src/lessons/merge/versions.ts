import { compare } from "../../ground/core/text.ts";
import type { VersionLine } from "../format/file-lines.ts";
import { isTombstone, type Lesson, textOf, type Version, writeVersion } from "../format/lesson.ts";
import { lessonId, sameText } from "../format/lesson-id.ts";
import { held } from "./after.ts";

export interface LessonLine extends VersionLine {
  readonly version: Lesson;
  /** If it shows, the versions in conflict with it: other texts, or tombstones. Latest first. Absent without a conflict. */
  readonly also?: readonly VersionLine[];
}

export const isLessonLine = (line: VersionLine): line is LessonLine => !isTombstone(line.version);

/** The versions of one id that count: one, unless different texts hash to this id. Then each text is a lesson. */
export function winnersOf(versions: readonly VersionLine[]): readonly VersionLine[] {
  if (versions.length < 2) return versions;
  return [...new Set(recordsOf(versions).map((record) => winnerOf(headsOf(record))))];
}

/** The versions that the writer of no later one of the same lesson had read. There are several if they are in conflict. */
export function headsIn(versions: readonly VersionLine[]): readonly VersionLine[] {
  return versions.length < 2 ? versions : [...new Set(recordsOf(versions).flatMap(headsOf))];
}

/** The versions in conflict with one that counts: heads with another text. */
export function saidBeside(
  line: LessonLine,
  versions: readonly VersionLine[],
): readonly VersionLine[] {
  if (versions.length < 2) return [];
  const heads = recordsOf(versions)
    .map(headsOf)
    .find((some) => some.includes(line));
  const said = new Set([textOf(line.version)]);
  const others: VersionLine[] = [];
  for (const head of heads ?? []) {
    const text = isLessonLine(head) ? textOf(head.version) : "";
    if (!said.has(text)) others.push(head);
    said.add(text);
  }
  return others;
}

/** Latest first. Nearly always one. */
function headsOf(record: readonly VersionLine[]): readonly VersionLine[] {
  const heads: VersionLine[] = [];
  for (const line of [...record].sort(latestFirst))
    if (!heads.some((later) => held(later, line))) heads.push(line);
  return heads;
}

/** The latest. A lesson that one branch forgot and another met at the same time still shows. */
const winnerOf = (heads: readonly VersionLine[]): VersionLine =>
  heads.find(isLessonLine) ?? (heads[0] as VersionLine);

/** Highest revision first. At the same revision a tombstone, then the larger line, byte-wise. */
export function latestFirst(a: VersionLine, b: VersionLine): number {
  if (a.instant !== b.instant) return compare(b.instant, a.instant);
  // A line without an id is older than any that has one.
  if ((a.bare === undefined) !== (b.bare === undefined)) return a.bare === undefined ? -1 : 1;
  const tombstones = Number(isTombstone(b.version)) - Number(isTombstone(a.version));
  return tombstones || compare(b.raw, a.raw);
}

const NO_SOURCES = [] as const;

/** The sources of a version, except its own id (docs/design/lessons.md, "Reading is a fold"). */
export function sourcesOf({ id, meta }: Version): readonly (readonly [string, string])[] {
  if (!meta.sources) return NO_SOURCES;
  return Object.entries(meta.sources).filter(([source]) => source !== id);
}

/** Whether two versions differ only in their sources and cues. */
export function sameButForJoined(a: Version, b: Version): boolean {
  return writeVersion(withoutJoined(a)) === writeVersion(withoutJoined(b));
}

/** The versions of one id, grouped by the lesson they belong to. */
function recordsOf(versions: readonly VersionLine[]): (readonly VersionLine[])[] {
  const lessons = versions.filter(isLessonLine);
  const texts: LessonLine[] = [];
  for (const line of lessons)
    if (!texts.some((text) => sameText(text.version, line.version))) texts.push(line);
  if (texts.length < 2) return [versions];

  const genuine = texts.filter(({ version }) => lessonId(version) === version.id);
  if (genuine.length < 2) return [versions];
  const records = genuine.map((text) =>
    lessons.filter((line) => sameText(line.version, text.version)),
  );
  const editedByHand = lessons.filter(
    (line) => !genuine.some((text) => sameText(text.version, line.version)),
  );
  if (editedByHand.length > 0) records.push(editedByHand);
  const tombstones = versions.filter((line) => isTombstone(line.version));
  return records.map((record) => [...record, ...tombstones]);
}

function withoutJoined(version: Version): Version {
  const { sources: _, source_count: __, cues: ___, ...meta } = version.meta;
  return { ...version, meta };
}
