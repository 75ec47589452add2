/** Collects versions of lessons from the commits up to now, the file, and this machine's trash. */
import { groupBy } from "../../ground/core/collections.ts";
import { compare } from "../../ground/core/text.ts";
import { linesByCommit, textAt } from "../../ground/project/git.ts";
import { NO_OWN_WORDS } from "../../ground/redaction/own-words.ts";
import { adopt } from "../changes/adopt.ts";
import { parseFile, toLine, type VersionLine } from "../format/file-lines.ts";
import { instantOf, type Lesson } from "../format/lesson.ts";
import { lessonsIn, type Removed } from "../jsonl/trash.ts";
import { fold, isLessonLine, type Snapshot, sourcesOf } from "../merge/versions.ts";
import type { KnownVersion, Origin } from "./life-events.ts";

/** Returns the versions, each line once, with the first place that contains it. @param file path of the memory file. */
export async function knownVersions(
  file: string,
  snapshot: Snapshot,
  removed: readonly Removed[],
): Promise<KnownVersion[]> {
  const found = new Map<string, KnownVersion>();
  const note = (lines: readonly VersionLine[], origin: Origin) => {
    for (const line of lines) {
      if (!found.has(line.raw)) {
        found.set(line.raw, { ...line, origin });
      }
    }
  };
  for (const { hash, author, lines } of await linesByCommit(file)) {
    note(versionsIn(lines.join("\n")), { hash, author });
  }
  note(snapshot.lines(), "not committed");
  note(lessonsIn(removed).map(toLine), "this machine");
  return [...found.values()];
}

/** Returns the memory at a commit. */
export async function snapshotAt(file: string, commit: string): Promise<Snapshot> {
  return snapshotIn((await textAt(file, commit)) ?? "");
}

/** Returns the memory in a text of the file. */
export const snapshotIn = (text: string): Snapshot => fold(versionsIn(text));

/** Returns the last known text of each lesson. */
export function lastTexts(versions: readonly KnownVersion[]): Map<string, Lesson> {
  const lines: readonly VersionLine[] = [...versions].sort((a, b) => compare(a.instant, b.instant));
  return new Map(lines.filter(isLessonLine).map(({ version }) => [version.id, version]));
}

const versionsIn = (text: string): readonly VersionLine[] =>
  adopt(parseFile(Buffer.from(text)), NO_OWN_WORDS).versions;

interface Returned {
  /** The id of the principle. */
  readonly principle: string;
  /** The ids of its sources that show again. */
  readonly sources: readonly string[];
}

/**
 * Finds the lessons that show again although a principle was made from them. A principle drops its covers after 180 days, so only
 * earlier versions of the principle still list them. A lesson that was restored or edited since doesn't count.
 * @param known all versions that git, the file and the trash contain.
 */
export function returnedSources(snapshot: Snapshot, known: readonly VersionLine[]): Returned[] {
  const versions = groupBy(known, ({ version }) => version.id);
  const found: Returned[] = [];
  for (const { version } of snapshot.lessons()) {
    if (version.type !== "principle") {
      continue;
    }
    const covers = coversEver(version.id, versions);
    const sources = [...covers].filter(([id, cover]) => isBack(id, cover, snapshot));
    if (sources.length > 0) {
      found.push({ principle: version.id, sources: sources.map(([id]) => id) });
    }
  }
  return found;
}

/** Whether a lesson shows in a version that the cover once hid. */
function isBack(id: string, cover: number, snapshot: Snapshot): boolean {
  const shown = snapshot.shown(id);
  return shown !== undefined && shown.instant <= cover;
}

/** The latest instant up to which a principle, or one that it replaced, ever covered each lesson, by id. */
function coversEver(
  principle: string,
  versions: ReadonlyMap<string, readonly VersionLine[]>,
): ReadonlyMap<string, number> {
  const covers = new Map<string, number>();
  const followed = new Set([principle]);
  for (const id of followed) {
    for (const { version } of versions.get(id) ?? []) {
      if (version.type !== "principle") {
        continue;
      }
      for (const [source, revision] of sourcesOf(version)) {
        covers.set(source, Math.max(covers.get(source) ?? 0, instantOf(revision)));
        followed.add(source);
      }
    }
  }
  covers.delete(principle);
  return covers;
}
