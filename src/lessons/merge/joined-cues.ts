/** The cues of a principle, joined over its versions. No line is rewritten for them: an old one stays while it alone holds a cue of its id. */

import type { VersionLine } from "../format/file-lines.ts";
import {
  cuesOf,
  instantOf,
  isLater,
  type Lesson,
  limitCues,
  type Meta,
  OLDEST,
} from "../format/lesson.ts";
import { headsIn, type LessonLine, winnersOf } from "./versions.ts";

/** What the versions of an id say of its cues together; a field is absent where they say nothing. */
export function joinedCues(versions: readonly VersionLine[]): Pick<Meta, "cues" | "cues_since"> {
  const since = latestPurge(versions);
  const from = since === undefined ? OLDEST : instantOf(since);
  const counting = versions.filter(
    ({ version, instant }) => version.type === "principle" && instant >= from,
  );
  const cues = limitCues(counting.flatMap(({ version }) => cuesOf(version.meta)));
  return { ...(cues.length > 0 && { cues }), ...(since !== undefined && { cues_since: since }) };
}

/** A line as it reads among all versions of its id; the line itself where they add nothing. */
export function withJoinedCues(line: LessonLine, versions: readonly VersionLine[]): LessonLine {
  const { type, meta } = line.version;
  if (type !== "principle" || (versions.length < 2 && meta.cues_since === undefined)) return line;
  const version = havingCues(line.version, joinedCues(versions));
  return version === line.version ? line : { ...line, version };
}

/** A version with these cues and no others. */
export function havingCues(version: Lesson, joined: Pick<Meta, "cues" | "cues_since">): Lesson {
  const { cues: _, cues_since, ...meta } = version.meta;
  const isSame = JSON.stringify(cuesOf(version.meta)) === JSON.stringify(joined.cues ?? []);
  if (isSame && cues_since === joined.cues_since) return version;
  return { ...version, meta: { ...meta, ...joined } as Meta };
}

/** The superseded versions of an id that have to stay beside the one that stands. */
export function neededForCues(
  standing: VersionLine,
  versions: readonly VersionLine[],
): readonly VersionLine[] {
  if (versions.length < 2 || standing.version.type !== "principle") return [];
  const kept = [standing];
  const holds = () => JSON.stringify(joinedCues(kept));
  const since = latestPurge(versions);
  const latestFirst = versions
    .filter((line) => line !== standing)
    .sort((a, b) => (a.instant > b.instant ? -1 : 1));
  // Who says which versions count goes first: what the others add depends on it.
  const purged = latestFirst.filter(
    ({ version }) => since !== undefined && version.meta.cues_since === since,
  );
  for (const line of [...purged, ...latestFirst]) {
    const before = holds();
    kept.push(line);
    if (holds() === before) kept.pop();
  }
  return kept.slice(1);
}

/** Whether more versions of an id stand there than the next write leaves. */
export function areSeveral(versions: readonly VersionLine[]): boolean {
  if (versions.length < 2) return false;
  const standing = winnersOf(versions);
  const needed = standing.flatMap((line) => neededForCues(line, versions));
  return versions.length > new Set([...headsIn(versions), ...needed]).size;
}

/** The highest revision at which a cue was purged. */
function latestPurge(versions: readonly VersionLine[]): string | undefined {
  const purges = versions
    .map(({ version }) => version.meta.cues_since)
    .filter((since) => typeof since === "string");
  return purges
    .filter((since) => instantOf(since) > OLDEST)
    .sort((a, b) => (isLater(a, b) ? -1 : 1))[0];
}
