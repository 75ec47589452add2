/** Collects versions of lessons from the commits up to now, the file, and this machine's trash. */
import { compare } from "../../ground/core/text.ts";
import { linesByCommit, textAt } from "../../ground/project/git.ts";
import { NO_OWN_WORDS } from "../../ground/redaction/own-words.ts";
import { adopt } from "../changes/adopt.ts";
import { parseFile, toLine, type VersionLine } from "../format/file-lines.ts";
import type { Lesson } from "../format/lesson.ts";
import { lessonsIn, type Removed } from "../jsonl/trash.ts";
import { fold, type Snapshot } from "../merge/fold.ts";
import { isLessonLine } from "../merge/versions.ts";
import type { KnownVersion, Origin } from "./life-events.ts";

/** The versions, each line once, with the first place that has it. @param file path of the memory file. */
export async function knownVersions(
  file: string,
  snapshot: Snapshot,
  removed: readonly Removed[],
): Promise<KnownVersion[]> {
  const found = new Map<string, KnownVersion>();
  const note = (lines: readonly VersionLine[], origin: Origin) => {
    for (const line of lines) if (!found.has(line.raw)) found.set(line.raw, { ...line, origin });
  };
  for (const { hash, author, lines } of await linesByCommit(file))
    note(versionsIn(lines.join("\n")), { hash, author });
  note(snapshot.lines(), "not committed");
  note(lessonsIn(removed).map(toLine), "this machine");
  return [...found.values()];
}

/** The memory at a commit. */
export async function snapshotAt(file: string, commit: string): Promise<Snapshot> {
  return snapshotIn((await textAt(file, commit)) ?? "");
}

/** The memory that a text of the file holds. */
export const snapshotIn = (text: string): Snapshot => fold(versionsIn(text));

/** The last text of each lesson that is known. */
export function lastTexts(versions: readonly KnownVersion[]): Map<string, Lesson> {
  const lines: readonly VersionLine[] = [...versions].sort((a, b) => compare(a.instant, b.instant));
  return new Map(lines.filter(isLessonLine).map(({ version }) => [version.id, version]));
}

const versionsIn = (text: string): readonly VersionLine[] =>
  adopt(parseFile(Buffer.from(text)), NO_OWN_WORDS).versions;
