/** Sources of principles that an old branch brought back (docs/design/lessons.md, "Pruning"). Pure. */
import { groupBy } from "../../ground/core/collections.ts";
import type { VersionLine } from "../format/file-lines.ts";
import { instantOf } from "../format/lesson.ts";
import type { Snapshot } from "../merge/fold.ts";
import { sourcesOf } from "../merge/versions.ts";

interface Returned {
  /** The id of the principle. */
  readonly principle: string;
  /** The ids of its sources that show again. */
  readonly sources: readonly string[];
}

/**
 * Finds the lessons that show again although a principle was made from them. A principle drops its covers after 180 days, so the
 * memory alone doesn't contain this: earlier versions of the principle do. A lesson that was restored or edited since doesn't count.
 * @param known all versions that git, the file and the trash contain.
 */
export function returnedSources(snapshot: Snapshot, known: readonly VersionLine[]): Returned[] {
  const versions = groupBy(known, ({ version }) => version.id);
  const found: Returned[] = [];
  for (const { version } of snapshot.lessons()) {
    if (version.type !== "principle") continue;
    const covers = coversEver(version.id, versions);
    const sources = [...covers].filter(([id, cover]) => isBack(id, cover, snapshot));
    if (sources.length > 0)
      found.push({ principle: version.id, sources: sources.map(([id]) => id) });
  }
  return found;
}

/** Whether a lesson shows in a version that the cover once hid. */
function isBack(id: string, cover: number, snapshot: Snapshot): boolean {
  const shown = snapshot.shown(id);
  return shown.length > 0 && shown.every(({ instant }) => instant <= cover);
}

/** The latest instant up to which a principle, or one that it replaced, ever covered each lesson, by id. */
function coversEver(
  principle: string,
  versions: ReadonlyMap<string, readonly VersionLine[]>,
): ReadonlyMap<string, number> {
  const covers = new Map<string, number>();
  const followed = new Set([principle]);
  for (const id of followed)
    for (const { version } of versions.get(id) ?? []) {
      if (version.type !== "principle") continue;
      for (const [source, revision] of sourcesOf(version)) {
        covers.set(source, Math.max(covers.get(source) ?? 0, instantOf(revision)));
        followed.add(source);
      }
    }
  covers.delete(principle);
  return covers;
}
