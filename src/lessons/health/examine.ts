/** Examines the bytes of a memory file for `check` and `doctor`, because people also edit and merge it by hand. */
import { basename, dirname, extname } from "node:path";
import { groupBy } from "../../ground/core/collections.ts";
import { plural } from "../../ground/core/text.ts";
import type { OwnWords } from "../../ground/redaction/own-words.ts";
import { quoted } from "../../ground/terminal/shell.ts";
import { adopt } from "../changes/adopt.ts";
import { fileLines, isLfsPointer, isUtf16, LFS_FIX, parseFile } from "../format/file-lines.ts";
import { fold, type Snapshot } from "../merge/fold.ts";
import { compactionDue } from "../queries/compaction.ts";
import { type Finding, finding } from "./finding.ts";
import { examineHidden } from "./hidden.ts";
import {
  examineAdopted,
  examineConflicts,
  examineDates,
  examineSameGaps,
  type PlacedVersion,
} from "./lessons.ts";
import { examineLineEnds, examineStructure } from "./lines.ts";

/** Reads any bytes. @returns the lessons, and the findings: the worst first, then in order of the lines. */
export function examine(
  bytes: Buffer,
  words: OwnWords,
): { readonly snapshot: Snapshot; readonly findings: readonly Finding[] } {
  if (isUtf16(bytes)) return { snapshot: fold([]), findings: [IS_UTF16] };
  if (isLfsPointer(bytes)) return { snapshot: fold([]), findings: [IS_LFS_POINTER] };
  const lines = [...fileLines(bytes)];
  const parsed = adopt(parseFile(bytes), words);
  const snapshot = fold(parsed.versions);
  const byRaw = groupBy(lines, ({ raw }) => raw);
  const placed = parsed.versions.map((line): PlacedVersion => {
    const same = byRaw.get(line.bare ?? line.raw) ?? [];
    return { ...line, numbers: same.map(({ number }) => number) };
  });
  const findings = [
    ...examineStructure(lines, parsed.unrecognised),
    ...examineHidden(placed, parsed.unrecognised, words),
    ...placed.flatMap(examineDates),
    ...examineAdopted(placed),
    ...examineSameGaps(snapshot, placed),
    ...examineConflicts(snapshot, placed),
    ...examineLineEnds(lines),
  ];
  return { snapshot, findings: findings.sort(worstFirst) };
}

const IS_UTF16 = finding(
  "not_utf8",
  [],
  "The file is UTF-16 text, which nothing here reads.",
  "Save it as UTF-8.",
);

const IS_LFS_POINTER = finding(
  "lfs_pointer",
  [],
  "The file has a Git LFS pointer instead of the lessons.",
  LFS_FIX,
);

const LEVELS = ["broken", "warning", "note"];

function worstFirst(a: Finding, b: Finding): number {
  return LEVELS.indexOf(a.level) - LEVELS.indexOf(b.level) || (a.lines[0] ?? 0) - (b.lines[0] ?? 0);
}

/** Whether a compaction is due. @param threshold in lessons. */
export function examineSize(snapshot: Snapshot, threshold: number): Finding[] {
  if (!compactionDue(snapshot, threshold)) return [];
  const what = `A compaction is due: ${plural(snapshot.count, "lesson")}, over the threshold of ${threshold}.`;
  const fix =
    "Ask your agent to compact the memory: it is shown what would be grouped, and words the principles.";
  return [finding("compaction_due", [], what, fix)];
}

/**
 * Finds copies beside a memory. Dropbox, Syncthing and similar programs leave one if two machines changed the file, and nothing else
 * reads it. @param file from the project's folder. @param names in the memory's folder.
 */
export function examineCopies(file: string, names: readonly string[]): Finding[] {
  const extension = extname(file);
  const own = basename(file);
  const stem = basename(file, extension);
  const copies = names.filter(
    (name) => name !== own && name.startsWith(stem) && name.endsWith(extension),
  );
  return copies.map((name) => {
    const path = `${dirname(file)}/${name}`.replaceAll("\\", "/");
    const what = `${path} looks like a copy of the memory that a file sync left; no answer contains its lessons.`;
    const fix = `sentinel-memory import ${quoted(path)}, then delete the copy.`;
    return finding("conflict_copy", [], what, fix);
  });
}
