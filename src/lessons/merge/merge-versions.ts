/** Merges two memories as a merge of their files would: the fold decides what shows. */
import { toLine } from "../format/file-lines.ts";
import type { Version } from "../format/lesson.ts";
import { type Snapshot, WorkingCopy } from "./fold.ts";
import { headsIn } from "./versions.ts";

/** What came of it; the figures but for `taken` count lessons, not versions. */
export type MergeOutcome = Readonly<ReturnType<typeof mergeVersions>>;

/** Adds the versions of another memory that change something. */
export function mergeVersions(memory: WorkingCopy, versions: readonly Version[]) {
  const before = shownById(memory);
  const met = new Set(versions.map(({ id }) => id));
  const strange = new Set(
    [...met].filter((id) => memory.versions(id).length === 0 && !memory.coveredBy(id)),
  );
  const news = thoseThatCount(memory, versions);
  for (const version of news) memory.add(version);
  const after = shownById(memory);

  const added = [...after.keys()].filter((id) => !before.has(id));
  const updated = [...after.keys()].filter(
    (id) => before.has(id) && before.get(id) !== after.get(id),
  );
  const hidden = [...before.keys()].filter((id) => !after.has(id));
  const changed = new Set([...added, ...updated, ...hidden]);
  const unchanged = [...met].filter((id) => !changed.has(id));
  return {
    /** New lessons. */
    added: added.length,
    /** Lessons with a newer version. */
    updated: updated.length,
    /** Forgotten or compacted in the other memory, and so removed from ours. */
    hidden: hidden.length,
    /** Nothing new: the same or a later version was there, or the lesson was forgotten or compacted here. */
    known: unchanged.filter((id) => !strange.has(id)).length,
    /** Forgotten or compacted in the other memory, and never in ours. */
    retired: unchanged.filter((id) => strange.has(id)).length,
    /** How many versions went in, seen or not; 0 means that there is nothing to write. */
    taken: news.length,
  };
}

/** The versions that a write would not only move to the trash: they aren't here yet, and they show or have sources. */
function thoseThatCount(snapshot: Snapshot, versions: readonly Version[]): Version[] {
  const together = WorkingCopy.from(snapshot);
  const lines = versions
    .filter((version) => !isKnown(snapshot, version))
    .map((version) => together.add(version));
  const counts = lines.filter((line) => {
    const { id, meta } = line.version;
    if (meta.sources !== undefined) return true;
    return headsIn(together.versions(id)).includes(line) && !together.covered(line);
  });
  return counts.map(({ version }) => version);
}

function isKnown(snapshot: Snapshot, version: Version): boolean {
  const { raw } = toLine(version);
  return snapshot.versions(version.id).some((known) => toLine(known.version).raw === raw);
}

/** What shows under each id, as one text to compare by. */
function shownById(snapshot: Snapshot): Map<string, string> {
  const shown = new Map<string, string>();
  for (const { raw, version } of snapshot.lessons())
    shown.set(version.id, (shown.get(version.id) ?? "") + raw);
  return shown;
}
