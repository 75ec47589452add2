/** The local trash contains the versions that writes removed. A write appends to it before it replaces the memory file. Only a purge rewrites it, under the lock. */
import { parseJson, tryOr } from "../../ground/core/errors.ts";
import { compare } from "../../ground/core/text.ts";
import { appendLines, readLog, rewriteLines } from "../../ground/files/append-log.ts";
import { localFile, localFileToWrite, removeAbandoned } from "../../ground/files/local-folder.ts";
import { type ContextFolder, LOCAL_FILES } from "../../ground/project/context-folder.ts";
import { type CuePurge, withoutCues } from "../changes/cues.ts";
import { isTombstone, type Lesson, readVersion, writeVersion } from "../format/lesson.ts";
import type { Dropped } from "../merge/prune.ts";

const TRASH = LOCAL_FILES.trash;

interface Entry {
  /** ISO 8601. */
  readonly at: string;
  readonly because: Dropped["because"];
  /** The id of the lesson that replaced it. */
  readonly by: string;
  readonly id: string;
  /** The unchanged line from the memory file. */
  readonly line: string;
}

/** A lesson in the trash. */
export interface Removed extends Omit<Entry, "id" | "line"> {
  readonly lesson: Lesson;
}

/** The lessons of some entries of the trash. */
export const lessonsIn = (removed: readonly Removed[]): Lesson[] =>
  removed.map(({ lesson }) => lesson);

/** Appends versions and flushes them to the disk. */
export function appendToTrash(
  { local }: ContextFolder,
  dropped: readonly Dropped[],
  now: number,
): void {
  if (dropped.length === 0) {
    return;
  }
  const at = new Date(now).toISOString();
  // A restore brings back the last entry of an id, so the newest version comes last.
  const inOrder = [...dropped].sort((a, b) => compare(a.line.instant, b.line.instant));
  const entries = inOrder.map(({ line: { raw, version }, because, by }) => {
    const line = Buffer.from(raw, "latin1").toString("utf8");
    const entry: Entry = { at, because, by, id: version.id, line };
    return JSON.stringify(entry);
  });
  appendLines(localFileToWrite(local, TRASH), entries);
}

/** The lessons in the trash, latest first. Skips lines that can't be read. */
export async function readTrash({ local }: ContextFolder): Promise<Removed[]> {
  const { entries } = await readLog(localFile(local, TRASH), readEntry);
  return entries.flatMap((entry) => lessonOf(entry) ?? []).reverse();
}

/** Removes every version of some ids, and cues from the others. @returns how many lessons were removed. */
export async function purgeTrash(
  { local }: ContextFolder,
  ids: ReadonlySet<string>,
  purge: CuePurge,
): Promise<number> {
  removeAbandoned(local, TRASH);
  const removed = await rewriteLines(localFile(local, TRASH), (line) => {
    const entry = readEntry(line);
    // A torn line may contain part of a secret.
    if (entry ? ids.has(entry.id) : [...ids].some((id) => line.includes(id))) {
      return undefined;
    }
    const lesson = entry && lessonOf(entry)?.lesson;
    const purged = lesson ? purge(lesson) : [];
    if (!lesson || purged.length === 0) {
      return line;
    }
    return JSON.stringify({ ...entry, line: writeVersion(withoutCues(lesson, purged)) });
  });
  return removed.flatMap((line) => readEntry(line) ?? []).filter((entry) => lessonOf(entry)).length;
}

/** Undefined for a damaged line. */
function readEntry(line: string): Entry | undefined {
  const entry = parseJson<Entry>(line);
  return typeof entry?.id === "string" ? entry : undefined;
}

/** Undefined for a tombstone, and for a line that can't be read. */
function lessonOf({ at, because, by, line }: Entry): Removed | undefined {
  const version = tryOr(() => readVersion(JSON.parse(line)), "damaged");
  return typeof version === "string" || isTombstone(version)
    ? undefined
    : { at, because, by, lesson: version };
}
