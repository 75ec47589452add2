/** Examines the bytes of a memory file, for `check` and `doctor`: people edit and merge it by hand, past what a save lets in. */
import { type Budget, Meter } from "../../ground/core/budget.ts";
import { groupBy } from "../../ground/core/group-by.ts";
import { plural } from "../../ground/core/text.ts";
import type { OwnWords } from "../../ground/redaction/own-words.ts";
import { adopt } from "../changes/adopt.ts";
import { fileLines, isLfsPointer, isUtf16, LFS_FIX, parseFile } from "../format/file-lines.ts";
import { block } from "../format/lesson-text.ts";
import { fold, type Snapshot } from "../merge/fold.ts";
import { compactionDue } from "../queries/compaction.ts";
import { References } from "../queries/references.ts";
import { type Finding, finding } from "./finding.ts";
import { examineHidden } from "./hidden.ts";
import { examineCircles, examineRecord, examineVersions, type PlacedVersion } from "./lessons.ts";
import { examineForm, examineStructure } from "./lines.ts";
import { examineAdopted, examineConflicts, examineSameGaps } from "./unsettled.ts";

export { type Finding, lineRanges } from "./finding.ts";

export interface Expectations {
  /** What clients show of an answer; none for a check that does not care. */
  readonly clients: readonly ClientBudget[];
  /** From more lessons than this on, a compaction is due; Infinity where that does not matter. */
  readonly compactThreshold: number;
  readonly words: OwnWords;
}

/** Total: any bytes are a file, if a broken one. @returns also what was found, the worst first, then in order of the lines. */
export function examine(bytes: Buffer, { clients, compactThreshold, words }: Expectations) {
  if (isUtf16(bytes)) return { snapshot: fold([]), findings: [IS_UTF16] };
  if (isLfsPointer(bytes)) return { snapshot: fold([]), findings: [IS_LFS_POINTER] };
  const lines = [...fileLines(bytes)];
  const parsed = adopt(parseFile(bytes), words);
  const snapshot = fold(parsed.versions);
  const numbers = groupBy(lines, ({ raw }) => raw);
  const placed: PlacedVersion[] = parsed.versions.map((line) => {
    return {
      ...line,
      numbers: (numbers.get(line.bare ?? line.raw) ?? []).map(({ number }) => number),
    };
  });
  const findings = [
    ...examineStructure(lines, parsed.unrecognised),
    ...examineHidden(placed, parsed.unrecognised, words),
    ...placed.flatMap(examineRecord),
    ...examineVersions(placed),
    ...examineAdopted(placed),
    ...examineSameGaps(snapshot, placed),
    ...examineConflicts(snapshot, placed),
    ...examineCircles(snapshot, placed),
    ...examineForm(bytes, lines),
    ...examineSize(snapshot, clients, compactThreshold),
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

/** What one client shows the model of an answer. */
interface ClientBudget {
  /** For people, like "Codex". */
  readonly client: string;
  readonly budget: Budget;
}

function examineSize(
  snapshot: Snapshot,
  clients: readonly ClientBudget[],
  compactThreshold: number,
): Finding[] {
  const references = new References(snapshot);
  const blocks = snapshot
    .lessons()
    .map((line, index) => block(line.version, index + 1, references.short(line), line.also));
  const outgrown = clients.filter(({ budget }) => {
    const meter = new Meter(budget);
    return !blocks.every((text) => meter.take(text));
  });
  const overBudget = outgrown.map(({ client }) => {
    const what = `The whole memory does not fit one answer in ${client}: the best matches come in full, the others in short.`;
    return finding("over_budget", [], what, "Compact it when you next work with an agent.");
  });
  if (!compactionDue(snapshot, compactThreshold)) return overBudget;
  const what = `A compaction is due: ${plural(snapshot.count, "lesson")}, over the threshold of ${compactThreshold}.`;
  const fix =
    "Ask your agent to compact the memory: it is shown what would be grouped, and words the principles.";
  return [...overBudget, finding("compaction_due", [], what, fix)];
}
