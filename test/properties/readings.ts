/** What the laws compare: files as they are read, united and written, and ids about which two files may differ. */

import { parseFile, renderFile, type VersionLine } from "../../src/lessons/format/file-lines.ts";
import { cuesOf, writeVersion } from "../../src/lessons/format/lesson.ts";
import {
  isLessonLine,
  type Snapshot,
  sameButForJoined,
  WorkingCopy,
} from "../../src/lessons/merge/versions.ts";

export function fold(bytes: Buffer): WorkingCopy {
  return new WorkingCopy(parseFile(bytes).versions);
}

export function written(snapshot: Snapshot): Buffer {
  return renderFile(snapshot.lines(), []);
}

export function united(x: Buffer, y: Buffer): Buffer {
  return Buffer.concat([x, Buffer.from("\n"), y]);
}

/** Ids of which two different versions have one revision, so that the larger line wins. */
export function disputes(snapshot: Snapshot): string[] {
  return [...snapshot.groups()]
    .filter(([, lines]) => lines.some((line) => lines.some((other) => concurrent(line, other))))
    .map(([id]) => id);
}

function concurrent(a: VersionLine, b: VersionLine): boolean {
  return a.instant === b.instant && !sameButForJoined(a.version, b.version);
}

/** Ids of which two versions have one revision: which cues show may depend on the rest of the line. */
export function ties(snapshot: Snapshot): string[] {
  const groups = [...snapshot.groups()].filter(
    ([, lines]) => new Set(lines.map(({ instant }) => instant)).size < lines.length,
  );
  return groups.map(([id]) => id);
}

export function restamped(before: Snapshot, after: Snapshot): string[] {
  return after
    .lines()
    .filter(
      ({ version, instant }) =>
        !before.versions(version.id).some((line) => line.instant === instant),
    )
    .map(({ version }) => version.id);
}

/** What shows under each id, apart from the sources, which are joined anyway. */
export function shown(
  snapshot: Snapshot,
  except: ReadonlySet<string> = new Set(),
): Record<string, string[]> {
  const entries = snapshot
    .lessons()
    .map(({ version }) => version)
    .filter(({ id }) => !except.has(id));
  const byId: Record<string, string[]> = {};
  for (const version of entries) {
    const { sources: _, source_count: __, cues: ___, ...meta } = version.meta;
    byId[version.id] = [...(byId[version.id] ?? []), writeVersion({ ...version, meta })].toSorted();
  }
  return byId;
}

export function cuesShown(
  snapshot: Snapshot,
  except: ReadonlySet<string>,
): Record<string, readonly string[]> {
  const lines = snapshot
    .lessons()
    .filter(({ version }) => version.type === "principle" && !except.has(version.id));
  return Object.fromEntries(lines.map(({ version }) => [version.id, cuesOf(version.meta)]));
}

/** Ids that were forgotten or compacted at some time: a version that is hidden may go with its cues. */
export function hiddenOnce(snapshot: Snapshot): string[] {
  return [...snapshot.groups()]
    .filter(([, lines]) => lines.some((line) => !isLessonLine(line) || snapshot.covered(line)))
    .map(([id]) => id);
}

export function sameVersions(a: Snapshot, b: Snapshot, id: string): boolean {
  const raws = (snapshot: Snapshot) =>
    snapshot
      .versions(id)
      .map(({ raw }) => raw)
      .toSorted();
  const known = (snapshot: Snapshot) =>
    JSON.stringify([raws(snapshot), shown(snapshot)[id], snapshot.instants(id).at(-1)]);
  return known(a) === known(b);
}
