/** Merges two memories like a merge of their files. The fold decides which versions show. */
import { toLine } from "../format/file-lines.ts";
import type { Version } from "../format/lesson.ts";
import { headsOf, type Snapshot, WorkingCopy } from "./versions.ts";

/** The result of a merge. Except for `taken`, the figures count lessons, not versions. */
export interface MergeOutcome {
  /** New lessons. */
  readonly added: number;
  /** Lessons with a newer version. */
  readonly updated: number;
  /** Forgotten or compacted in the other memory, and so removed from ours. */
  readonly hidden: number;
  /** Unchanged lessons, because the same or a later version exists here, or either memory has forgotten or compacted the lesson. */
  readonly known: number;
  /** The number of merged versions, visible or not. If it's 0, there is nothing to write. */
  readonly taken: number;
}

/** Adds the versions of another memory that change something. */
export function mergeVersions(memory: WorkingCopy, versions: readonly Version[]): MergeOutcome {
  const before = shownById(memory);
  const met = new Set(versions.map(({ id }) => id));
  const news = thoseThatCount(memory, versions);
  for (const version of news) {
    memory.add(version);
  }
  const after = shownById(memory);

  const added = [...after.keys()].filter((id) => !before.has(id));
  const updated = [...after.keys()].filter(
    (id) => before.has(id) && before.get(id) !== after.get(id),
  );
  const hidden = [...before.keys()].filter((id) => !after.has(id));
  const changed = new Set([...added, ...updated, ...hidden]);
  return {
    added: added.length,
    updated: updated.length,
    hidden: hidden.length,
    known: [...met].filter((id) => !changed.has(id)).length,
    taken: news.length,
  };
}

/** Selects the versions that are new here and that show or have sources. A write would move all others straight to the trash. */
function thoseThatCount(snapshot: Snapshot, versions: readonly Version[]): Version[] {
  const together = new WorkingCopy(snapshot.lines());
  const lines = versions
    .filter((version) => !isKnown(snapshot, version))
    .map((version) => together.add(version));
  const counts = lines.filter((line) => {
    const { id, meta } = line.version;
    if (meta.sources !== undefined) {
      return true;
    }
    return headsOf(together.versions(id)).includes(line) && !together.covered(line);
  });
  return counts.map(({ version }) => version);
}

function isKnown(snapshot: Snapshot, version: Version): boolean {
  const { raw } = toLine(version);
  return snapshot.versions(version.id).some((known) => toLine(known.version).raw === raw);
}

/** Returns the visible line of each id. */
const shownById = (snapshot: Snapshot): Map<string, string> =>
  new Map(snapshot.lessons().map(({ raw, version }) => [version.id, raw]));
