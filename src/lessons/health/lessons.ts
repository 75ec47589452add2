/** Finds lessons that no save would have written, and those that a later save settles. */
import { groupBy } from "../../ground/core/group-by.ts";
import { plural } from "../../ground/core/text.ts";
import type { VersionLine } from "../format/file-lines.ts";
import { BYTE_LIMITS, instantOf, isTombstone, OLDEST, type Version } from "../format/lesson.ts";
import { lessonId } from "../format/lesson-id.ts";
import type { Snapshot } from "../merge/fold.ts";
import { areSeveral } from "../merge/versions.ts";
import { sameGaps } from "../queries/compaction.ts";
import { type Finding, finding, findingOn } from "./finding.ts";

/** A version with the numbers of its lines. */
export interface PlacedVersion extends VersionLine {
  readonly numbers: readonly number[];
}

/** The lines of some versions, in order. */
function numbersOf(placed: readonly PlacedVersion[]): number[] {
  return placed.flatMap(({ numbers }) => numbers).sort((a, b) => a - b);
}

/** Findings about one version. */
export function examineRecord({ version, numbers: lines }: PlacedVersion): Finding[] {
  return [
    ...examineId(version, lines),
    ...examineLengths(version, lines),
    ...examineDates(version, lines),
  ];
}

/** Ids with several versions in the file, as after a merge. */
export function examineVersions(placed: readonly PlacedVersion[]): Finding[] {
  const doubled = [...groupBy(placed, ({ version }) => version.id)].filter(([, versions]) =>
    areSeveral(versions),
  );
  return doubled.map(([id, versions]) => {
    const what = `${id} has ${versions.length} versions, as after a merge. The latest counts.`;
    const fix =
      "Nothing to do: the next save keeps the latest and moves the others to the local trash.";
    return finding("several_versions", numbersOf(versions), what, fix);
  });
}

/** Lines that were written by hand without an id. */
export function examineAdopted(placed: readonly PlacedVersion[]): Finding[] {
  const lines = placed.filter(({ bare }) => bare !== undefined).flatMap(({ numbers }) => numbers);
  const what = `${plural(lines.length, "line")} without an id, read as lessons.`;
  return findingOn("no_id", lines, what, "Nothing to do: the next save gives each its id.");
}

/** One gap under two ids. */
export function examineSameGaps(snapshot: Snapshot, placed: readonly PlacedVersion[]): Finding[] {
  return sameGaps(snapshot.lessons()).map((lines) => {
    const ids = lines.map(({ version }) => version.id).join(", ");
    const what = `${ids} are the same gap, written differently, as after a merge.`;
    return finding(
      "same_gap",
      placesOf(lines, placed),
      what,
      "Nothing to do: the next compaction joins them.",
    );
  });
}

/** Lessons that two branches changed differently, or that one changed and the other forgot. */
export function examineConflicts(snapshot: Snapshot, placed: readonly PlacedVersion[]): Finding[] {
  return snapshot.lessons().flatMap((line) => {
    if (!line.also) return [];
    const { id } = line.version;
    const forgotten = line.also.some(({ version }) => isTombstone(version));
    const what = `${id} was ${forgotten ? "forgotten where another change of it" : "changed where another change"} was not known; answers say both.`;
    const fix = `Read it with sentinel-memory show ${id.slice(0, 8)}, then edit, log or forget it: that settles it.`;
    return [finding("in_conflict", placesOf([line, ...line.also], placed), what, fix)];
  });
}

function placesOf(lines: readonly VersionLine[], placed: readonly PlacedVersion[]): number[] {
  const raws = new Set(lines.map(({ raw }) => raw));
  return numbersOf(placed.filter(({ raw }) => raws.has(raw)));
}

/** Lessons that hide each other through their `sources`, so that none of them shows. No save writes that. */
export function examineCircles(snapshot: Snapshot, placed: readonly PlacedVersion[]): Finding[] {
  const standsBehindOne = (id: string, passed = new Set<string>()): boolean => {
    if (passed.has(id)) return false;
    passed.add(id);
    if (snapshot.versions(id).some((line) => !snapshot.covered(line))) return true;
    return snapshot.coverers(id).some(({ version }) => standsBehindOne(version.id, passed));
  };
  const lost = placed.filter(({ version }) => !standsBehindOne(version.id));
  const ids = [...new Set(lost.map(({ version }) => version.id))];
  const what = `${ids.join(", ")} replace each other in meta.sources, so none of them is shown.`;
  const fix = "Take the id of the one that should show out of the meta.sources of the other.";
  return findingOn("hidden_in_a_circle", numbersOf(lost), what, fix);
}

function examineId(version: Version, lines: readonly number[]): Finding[] {
  if (isTombstone(version)) return [];
  const expected = lessonId(version);
  if (version.id === expected) return [];
  const what = `${version.id} does not follow from its text (that would be ${expected}): it was edited by hand.`;
  const fix = `Set its id to ${expected} if the new text is right. Otherwise undo the edit.`;
  return [finding("id_mismatch", lines, what, fix)];
}

function examineLengths(version: Version, lines: readonly number[]): Finding[] {
  const texts = isTombstone(version) ? { reason: version.meta.reason } : version;
  return Object.entries(BYTE_LIMITS).flatMap(([field, limit]) => {
    const text = texts[field as keyof typeof texts];
    const size = typeof text === "string" ? Buffer.byteLength(text, "utf8") : 0;
    if (size <= limit) return [];
    const what = `${field} of ${version.id} is ${size.toLocaleString("en")} bytes; the limit is ${limit.toLocaleString("en")}.`;
    const fix = "Say it in fewer words, or in two lessons: log it again and forget this one.";
    return [finding("over_limit", lines, what, fix)];
  });
}

function examineDates({ id, meta }: Version, lines: readonly number[]): Finding[] {
  const dates = {
    created: meta.created,
    updated: meta.updated,
    compacted_at: meta.compacted_at,
    ...Object.fromEntries(
      Object.entries(meta.sources ?? {}).map(([source, date]) => [`sources.${source}`, date]),
    ),
  };
  const unreadable = Object.entries(dates).filter(
    ([, date]) => date !== undefined && date !== "" && instantOf(date) === OLDEST,
  );
  if (unreadable.length === 0) return [];
  const names = unreadable.map(([name]) => `meta.${name}`).join(", ");
  const what = `${id} has no readable date in ${names}, so it counts as the oldest.`;
  return [finding("unreadable_date", lines, what, 'Write it like "2026-02-27T10:30:00.000Z".')];
}
