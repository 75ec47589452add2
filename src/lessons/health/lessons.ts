/** What is wrong with a lesson: all that the strict side of the format would have refused. */
import { groupBy } from "../../ground/core/group-by.ts";
import { plural } from "../../ground/core/text.ts";
import { cuesOf } from "../format/cues.ts";
import type { VersionLine } from "../format/file-lines.ts";
import { BYTE_LIMITS, isTombstone, type Version } from "../format/lesson.ts";
import { lessonId } from "../format/lesson-id.ts";
import { instantOf, OLDEST } from "../format/revision.ts";
import { areSeveral, joinedCues } from "../merge/joined-cues.ts";
import type { Snapshot } from "../merge/snapshot.ts";
import type { Finding } from "./finding.ts";

/** A version together with the numbers of the lines it stands on. */
export interface PlacedVersion extends VersionLine {
  readonly numbers: readonly number[];
}

/** Findings about one version. */
export function examineRecord({ version, numbers: lines }: PlacedVersion): Finding[] {
  return [...examineId(version, lines), ...examineLengths(version, lines), ...examineDates(version, lines)];
}

/** Ids of which the file holds several versions, as it does after a merge. */
export function examineVersions(placed: readonly PlacedVersion[]): Finding[] {
  const doubled = [...groupBy(placed, ({ version }) => version.id)].filter(([, versions]) => areSeveral(versions));
  return doubled.map(([id, versions]) => ({
    code: "several_versions",
    level: "note",
    what: `${id} stands there in ${versions.length} versions, as after a merge; the latest counts.`,
    lines: versions.flatMap(({ numbers }) => numbers).sort((a, b) => a - b),
    fix: "Nothing to do: the next save keeps the latest and moves the others to the local trash.",
  }));
}

/**
 * Cues that a version brought back after a purge: it is later, was written where nobody knew of the purge, and has words that the
 * purged version has not. They are counted only, for they may be what was purged.
 */
export function examinePurgedCues(placed: readonly PlacedVersion[]): Finding[] {
  return [...groupBy(placed, ({ version }) => version.id)].flatMap(([id, versions]) => {
    const { cues_since } = joinedCues(versions);
    const purged = versions.find(({ version }) => cues_since !== undefined && version.meta.cues_since === cues_since);
    if (!purged) return [];
    const left = new Set(cuesOf(purged.version.meta));
    return versions.flatMap(({ version, instant, numbers }): Finding[] => {
      const back = cuesOf(version.meta).filter((cue) => !left.has(cue));
      if (instant <= purged.instant || version.meta.cues_since !== undefined || back.length === 0) return [];
      return [
        {
          code: "purged_cue",
          level: "broken",
          what: `${id} has ${plural(back.length, "cue")} again that a purge may have removed: this version was written without knowing of the purge.`,
          lines: numbers,
          fix: `Read them with sentinel-memory show ${id}, and take each that must not be there out with sentinel-memory purge --word.`,
        },
      ];
    });
  });
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
  if (lost.length === 0) return [];
  const ids = [...new Set(lost.map(({ version }) => version.id))];
  return [
    {
      code: "hidden_in_a_circle",
      level: "warning",
      what: `${ids.join(", ")} stand for each other in meta.sources, so none of them shows.`,
      lines: lost.flatMap(({ numbers }) => numbers).sort((a, b) => a - b),
      fix: "Take the id of the one that should show out of the meta.sources of the other.",
    },
  ];
}

function examineId(version: Version, lines: readonly number[]): Finding[] {
  if (isTombstone(version)) return [];
  const expected = lessonId(version);
  if (version.id === expected) return [];
  return [
    {
      code: "id_mismatch",
      level: "warning",
      what: `${version.id} does not follow from its text (that would be ${expected}): it was edited by hand.`,
      lines,
      fix: `Set its id to ${expected} if the new text is what it should say; otherwise undo the edit.`,
    },
  ];
}

function examineLengths(version: Version, lines: readonly number[]): Finding[] {
  const texts = isTombstone(version) ? { reason: version.meta.reason } : version;
  return Object.entries(BYTE_LIMITS).flatMap(([field, limit]) => {
    const text = texts[field as keyof typeof texts];
    const size = typeof text === "string" ? Buffer.byteLength(text, "utf8") : 0;
    if (size <= limit) return [];
    return [
      {
        code: "over_limit" as const,
        level: "warning" as const,
        what: `${field} of ${version.id} is ${size.toLocaleString("en")} bytes; the limit is ${limit.toLocaleString("en")}.`,
        lines,
        fix: "Say it in fewer words, or in two lessons: log it again and forget this one.",
      },
    ];
  });
}

function examineDates({ id, meta }: Version, lines: readonly number[]): Finding[] {
  const dates = {
    created: meta.created,
    updated: meta.updated,
    compacted_at: meta.compacted_at,
    ...Object.fromEntries(Object.entries(meta.sources ?? {}).map(([source, date]) => [`sources.${source}`, date])),
  };
  const unreadable = Object.entries(dates).filter(
    ([, date]) => date !== undefined && date !== "" && instantOf(date) === OLDEST,
  );
  if (unreadable.length === 0) return [];
  return [
    {
      code: "unreadable_date",
      level: "warning",
      what: `${id} has no readable date in ${unreadable.map(([name]) => `meta.${name}`).join(", ")}, so it counts as the oldest.`,
      lines,
      fix: 'Write it like "2026-02-27T10:30:00.000Z".',
    },
  ];
}
