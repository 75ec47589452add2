/** Finds lessons that no save would have written, and those that a later save settles. */
import { groupBy } from "../../ground/core/group-by.ts";
import { grouped, plural } from "../../ground/core/text.ts";
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
  const found: Finding[] = [];
  for (const [id, versions] of groupBy(placed, ({ version }) => version.id)) {
    if (!areSeveral(versions)) continue;
    const what = `${id} has ${versions.length} versions, as after a merge. The latest counts.`;
    const fix =
      "Nothing to do: the next save keeps the latest and moves the others to the local trash.";
    found.push(finding("several_versions", numbersOf(versions), what, fix));
  }
  return found;
}

/** Lines that were written by hand without an id. */
export function examineAdopted(placed: readonly PlacedVersion[]): Finding[] {
  const lines = numbersOf(placed.filter(({ bare }) => bare !== undefined));
  const what = `${plural(lines.length, "line")} without an id, read as lessons.`;
  return findingOn("no_id", lines, what, "Nothing to do: the next save gives each its id.");
}

/** One gap under two ids. */
export function examineSameGaps(snapshot: Snapshot, placed: readonly PlacedVersion[]): Finding[] {
  return sameGaps(snapshot.lessons()).map((same) => {
    const ids = same.map(({ version }) => version.id).join(", ");
    const what = `${ids} are the same gap, written differently, as after a merge.`;
    const fix = "Nothing to do: the next compaction joins them.";
    return finding("same_gap", placesOf(same, placed), what, fix);
  });
}

/** Lessons that two branches changed differently, or that one changed and the other forgot. */
export function examineConflicts(snapshot: Snapshot, placed: readonly PlacedVersion[]): Finding[] {
  const found: Finding[] = [];
  for (const line of snapshot.lessons()) {
    if (!line.also) continue;
    const { id } = line.version;
    const isForgotten = line.also.some(({ version }) => isTombstone(version));
    const change = isForgotten
      ? "forgotten where another change of it"
      : "changed where another change";
    const what = `${id} was ${change} was not known; answers say both.`;
    const fix = `Read it with sentinel-memory show ${id.slice(0, 8)}, then edit, log or forget it: that settles it.`;
    found.push(finding("in_conflict", placesOf([line, ...line.also], placed), what, fix));
  }
  return found;
}

function placesOf(lines: readonly VersionLine[], placed: readonly PlacedVersion[]): number[] {
  const raws = new Set(lines.map(({ raw }) => raw));
  return numbersOf(placed.filter(({ raw }) => raws.has(raw)));
}

/** Lessons that hide each other through their `sources`, so that none of them shows. No save writes that. */
export function examineCircles(snapshot: Snapshot, placed: readonly PlacedVersion[]): Finding[] {
  const lost = placed.filter(({ version }) => !isRepresented(version.id, snapshot, new Set()));
  const ids = [...new Set(lost.map(({ version }) => version.id))];
  const what = `${ids.join(", ")} replace each other in meta.sources, so none of them is shown.`;
  const fix = "Remove the id of the one that should show from the meta.sources of the other.";
  return findingOn("hidden_in_a_circle", numbersOf(lost), what, fix);
}

/** Whether a lesson shows, or one that covers it, or one that covers that one, and so on. @param passed the ids on the way. */
function isRepresented(id: string, snapshot: Snapshot, passed: Set<string>): boolean {
  if (passed.has(id)) return false;
  passed.add(id);
  if (snapshot.versions(id).some((line) => !snapshot.covered(line))) return true;
  const coverers = snapshot.coverers(id);
  return coverers.some(({ version }) => isRepresented(version.id, snapshot, passed));
}

function examineId(version: Version, lines: readonly number[]): Finding[] {
  if (isTombstone(version)) return [];
  const { id } = version;
  const expected = lessonId(version);
  if (id === expected) return [];
  const what = `${id} does not follow from its text (that would be ${expected}): it was edited by hand.`;
  const fix = `Set its id to ${expected} if the new text is right. Otherwise undo the edit.`;
  return [finding("id_mismatch", lines, what, fix)];
}

function examineLengths(version: Version, lines: readonly number[]): Finding[] {
  const texts = isTombstone(version) ? { reason: version.meta.reason } : version;
  const found: Finding[] = [];
  for (const [field, limit] of Object.entries(BYTE_LIMITS)) {
    const text = texts[field as keyof typeof texts];
    const size = typeof text === "string" ? Buffer.byteLength(text, "utf8") : 0;
    if (size <= limit) continue;
    const what = `${field} of ${version.id} is ${grouped(size)} bytes; the limit is ${grouped(limit)}.`;
    const fix = "Say it in fewer words, or in two lessons: log it again and forget this one.";
    found.push(finding("over_limit", lines, what, fix));
  }
  return found;
}

function examineDates({ id, meta }: Version, lines: readonly number[]): Finding[] {
  const { created, updated, compacted_at } = meta;
  const dates: Record<string, string | undefined> = { created, updated, compacted_at };
  for (const [source, date] of Object.entries(meta.sources ?? {}))
    dates[`sources.${source}`] = date;
  const names: string[] = [];
  for (const [name, date] of Object.entries(dates))
    if (date !== undefined && date !== "" && instantOf(date) === OLDEST) names.push(`meta.${name}`);
  if (names.length === 0) return [];
  const what = `${id} has no readable date in ${names.join(", ")}, so it counts as the oldest.`;
  return [finding("unreadable_date", lines, what, 'Write it like "2026-02-27T10:30:00.000Z".')];
}
