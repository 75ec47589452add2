/** Drops the lines that the remaining ones make redundant, before a write. */
import { groupBy } from "../../ground/core/collections.ts";
import { compare } from "../../ground/core/text.ts";
import { DAY_MS } from "../../ground/core/time.ts";
import { byIdThenBytes, toLine, type VersionLine } from "../format/file-lines.ts";
import {
  instantOf,
  isLater,
  isTombstone,
  nextRevision,
  OLDEST,
  type Version,
} from "../format/lesson.ts";
import { fold, headsOf, type Snapshot, sameButForJoined, sourcesOf, winnerOf } from "./versions.ts";

/** A version that a write removes from the file, why, and the id of the lesson that replaces it. */
export interface Dropped {
  readonly line: VersionLine;
  readonly because: "updated" | "compacted" | "replaced" | "forgotten" | "removed by hand";
  readonly by: string;
}

/** A principle older than this, or merged into another one, drops its covers of revisions that are older than this. */
const COVERED_MS = 180 * DAY_MS;

/**
 * Keeps the fewest lines that read as the same memory (docs/design/lessons.md, "Pruning"). Versions in conflict stay.
 * @param now in ms since 1970. @param seen the versions in the file before a manual edit, so that no copy of them hides the edit.
 */
export function prune(
  snapshot: Snapshot,
  now: number,
  seen: readonly VersionLine[] = [],
): { snapshot: Snapshot; dropped: readonly Dropped[] } {
  const { leaving, edited } = findLeaving(snapshot, seen);
  const successors = findSuccessors(snapshot, leaving);
  const withSome = [...successors].filter(([line]) => sourcesOf(line.version).length > 0);
  const carried = groupBy(withSome, ([, successor]) => successor);
  const oldestCover = newestInstant(snapshot, now) - COVERED_MS;
  const isGone = (id: string) => snapshot.versions(id).every((line) => leaving.has(line));
  const withoutOld = (version: Version) => withoutOldCovers(version, oldestCover, isGone);
  const changed = new Map<VersionLine, Version>();
  for (const line of snapshot.lines()) {
    if (leaving.has(line)) {
      continue;
    }
    const before = (carried.get(line) ?? []).map(([other]) => other.version);
    // A correction of one lesson keeps all its covers.
    const others = sourcesOf(line.version).length > 1 ? before.map(withoutOld) : before;
    const own = edited.has(line) ? restamped(line.version, snapshot, now) : line.version;
    // A younger principle keeps all its covers, so that an older branch can't bring its sources back.
    const kept = line.instant < oldestCover ? withoutOld(own) : own;
    const version = withSources(kept, others);
    if (version !== line.version || line.bare !== undefined) {
      changed.set(line, version);
    }
  }
  const nothingChanged = leaving.size + changed.size === 0;
  return {
    snapshot: nothingChanged ? snapshot : replaced(snapshot, leaving, changed),
    dropped: [...leaving].map((line) => drop(line, successors.get(line))),
  };
}

/** The newest date in the file that isn't in the future, in ms since 1970. */
function newestInstant(snapshot: Snapshot, now: number): number {
  let newest = OLDEST;
  for (const { instant } of snapshot.lines()) {
    if (instant <= now && instant > newest) {
      newest = instant;
    }
  }
  return newest;
}

/** Removes the covers of a principle that are too old. A cover with an unreadable date stays. @param isGone whether the file has no version of an id. */
function withoutOldCovers(
  version: Version,
  oldest: number,
  isGone: (id: string) => boolean,
): Version {
  const { sources } = version.meta;
  if (version.type !== "principle" || sources === undefined) {
    return version;
  }
  const entries = Object.entries(sources);
  const kept = entries.filter(([id, revision]) => {
    const instant = instantOf(revision);
    return instant === OLDEST || instant >= oldest || !isGone(id);
  });
  if (kept.length === entries.length) {
    return version;
  }
  return { ...version, meta: { ...version.meta, sources: Object.fromEntries(kept) } };
}

/** Returns the snapshot without the leaving lines, and with the changed lines replaced. */
function replaced(
  snapshot: Snapshot,
  leaving: ReadonlySet<VersionLine>,
  changed: ReadonlyMap<VersionLine, Version>,
): Snapshot {
  const unchanged = snapshot.lines().filter((line) => !leaving.has(line) && !changed.has(line));
  const written = [...changed.values()].map(toLine);
  return fold([...unchanged, ...written].sort(byIdThenBytes));
}

/** Finds the versions that no longer count, and the lessons that were edited by hand. */
function findLeaving(
  snapshot: Snapshot,
  seen: readonly VersionLine[],
): { leaving: Set<VersionLine>; edited: Set<VersionLine> } {
  const leaving = new Set<VersionLine>();
  const edited = new Set<VersionLine>();
  const seenById = groupBy(seen, ({ version }) => version.id);
  for (const [id, versions] of snapshot.groups()) {
    const heads = headsOf(versions);
    const staying = heads.filter((line) => !snapshot.covered(line));
    for (const line of versions) {
      if (!staying.includes(line)) {
        leaving.add(line);
      }
    }
    const winner = winnerOf(versions);
    if (!winner || !staying.includes(winner)) {
      continue;
    }
    // Two slow clocks can give two versions one revision. Then neither is an edit of the other.
    const known = versions.filter((line) => !heads.includes(line));
    const before = seenById.get(id) ?? [];
    if (editedInPlace(winner, [...known, ...before])) {
      edited.add(winner);
    }
  }
  return { leaving, edited };
}

/** Finds the successor of each leaving line. A line with sources but no successor stays. Only a hand-made file has one. */
function findSuccessors(
  snapshot: Snapshot,
  leaving: Set<VersionLine>,
): Map<VersionLine, VersionLine> {
  const successors = new Map<VersionLine, VersionLine>();
  if (leaving.size === 0) {
    return successors;
  }
  for (const line of leaving) {
    if (sourcesOf(line.version).length > 0 && !successorOf(line, snapshot, leaving)) {
      leaving.delete(line);
    }
  }
  for (const line of leaving) {
    const successor = successorOf(line, snapshot, leaving);
    if (successor) {
      successors.set(line, successor);
    }
  }
  return successors;
}

/** Returns the successor of a leaving line: the winner of its id, or the line that covers that winner, and so on. */
function successorOf(
  line: VersionLine,
  snapshot: Snapshot,
  leaving: ReadonlySet<VersionLine>,
): VersionLine | undefined {
  const passed = new Set<string>();
  const maySucceed = (candidate: VersionLine) =>
    !leaving.has(candidate) && !standsFor(line, candidate);
  const upwards = (id: string): VersionLine | undefined => {
    if (passed.has(id)) {
      return undefined;
    }
    passed.add(id);
    const winner = winnerOf(snapshot.versions(id));
    if (winner && maySucceed(winner)) {
      return winner;
    }
    for (const coverer of snapshot.coverers(id)) {
      const successor = maySucceed(coverer) ? coverer : upwards(coverer.version.id);
      if (successor) {
        return successor;
      }
    }
    return undefined;
  };
  return upwards(line.version.id);
}

/** Whether a line covers another one. The other one can't be its successor, because a line's sources don't include its own id. */
function standsFor(line: VersionLine, other: VersionLine): boolean {
  return sourcesOf(line.version).some(
    ([id, cover]) => id === other.version.id && instantOf(cover) >= other.instant,
  );
}

function drop(line: VersionLine, successor: VersionLine | undefined): Dropped {
  const { id } = line.version;
  const by = successor?.version.id ?? id;
  if (by !== id) {
    return { line, because: successor?.version.type === "log" ? "replaced" : "compacted", by };
  }
  return {
    line,
    because: successor && isTombstone(successor.version) ? "forgotten" : "updated",
    by,
  };
}

/** Adds the sources of other versions to a version. */
function withSources(version: Version, others: readonly Version[]): Version {
  if (others.length === 0) {
    return version;
  }
  const sources = new Map<string, string>();
  for (const [id, revision] of [...others, version].flatMap(sourcesOf)) {
    const known = sources.get(id);
    if (id !== version.id && (known === undefined || isLater(revision, known))) {
      sources.set(id, revision);
    }
  }
  const own = version.meta.sources ?? {};
  const isSame = [...sources].every(([id, revision]) => own[id] === revision);
  if (isSame && sources.size === Object.keys(own).length) {
    return version;
  }
  const meta = { ...version.meta, sources: Object.fromEntries([...sources].sort(byId)) };
  if (version.type !== "principle") {
    return { ...version, meta };
  }
  // Sources whose cover was too old still count.
  const listed = sourcesOf(version).length;
  const count = Math.max(version.meta.source_count ?? 0, listed) + sources.size - listed;
  return { ...version, meta: { ...meta, source_count: count } };
}

const byId = ([a]: readonly [string, string], [b]: readonly [string, string]): number =>
  compare(a, b);

/** Whether the line differs from another version of its lesson with the same revision. */
function editedInPlace(line: VersionLine, others: readonly VersionLine[]): boolean {
  if (isTombstone(line.version) || line.bare !== undefined) {
    return false;
  }
  return others.some(
    (other) =>
      other.instant === line.instant &&
      other.bare === undefined &&
      !sameButForJoined(other.version, line.version),
  );
}

/** Gives a version a revision later than all known ones of its id. */
export function restamped(version: Version, snapshot: Snapshot, now: number): Version {
  const updated = nextRevision(now, snapshot.instants(version.id));
  return { ...version, meta: { ...version.meta, updated } };
}
