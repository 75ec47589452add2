import { plural } from "../../ground/core/text.ts";
import { dateOf, UNDATED } from "../../ground/core/time.ts";
import { estimateTokens } from "../../ground/core/tokens.ts";
import { sizeOfFile } from "../../ground/files/named-file.ts";
import { PRIVATE_MARK } from "../../ground/redaction/private.ts";
import { MARK } from "../../ground/redaction/span.ts";
import { isTombstone, type Lesson, revisionOf } from "../format/lesson.ts";
import { block } from "../format/lesson-text.ts";
import type { Snapshot } from "../merge/fold.ts";
import { compactionDue } from "../queries/compaction.ts";
import { newestFirst } from "../queries/importance.ts";
import { References } from "../queries/references.ts";
import { topicsOf } from "../queries/topics.ts";
import { type LessonCommandContext, readMemory, readPolicy } from "./read-memory.ts";

/** Prints the size of the memory, and what it costs in tokens. */
export async function printStats(context: LessonCommandContext): Promise<void> {
  const { lessons, terminal } = context;
  const snapshot = await readMemory(context);
  const { compact_threshold: threshold } = await readPolicy(context);
  const bytes = await sizeOfFile(lessons.location);
  const rows: Row[] = [
    ...contents(snapshot, threshold),
    ["file", `${plural(bytes, "byte")}, ${lessons.location}`],
    [
      "in full",
      `about ${plural(tokensOf(snapshot), "token")} in an answer that shows every lesson`,
    ],
  ];
  const { dim } = terminal.page.colours;
  for (const [name, fact] of rows) terminal.print(`${dim(name.padEnd(12))}${fact}`);
}

type Row = readonly [name: string, fact: string];

function contents(snapshot: Snapshot, threshold: number): Row[] {
  const versions = [...snapshot.lessons()].sort(newestFirst).map(({ version }) => version);
  const principles = versions.filter(({ type }) => type === "principle");
  const forgotten = snapshot.lines().filter(({ version }) => isTombstone(version));
  const redactions = plural(countIn(versions, MARK), "redaction");
  const passages = plural(countIn(versions, PRIVATE_MARK), "private passage");
  const due = compactionDue(snapshot, threshold)
    ? "a compaction is due"
    : `no compaction is due; the threshold is ${threshold}`;
  const rows: Row[] = [
    ["records", `${versions.length} (${due})`],
    ["principles", String(principles.length)],
    ["topics", String(topicsOf(snapshot).length)],
    ["forgotten", String(forgotten.length)],
    ["taken out", `${redactions}, ${passages}`],
  ];
  const all = versions.map(({ meta }) => dateOf(revisionOf(meta)));
  const dates = all.filter((date) => date !== UNDATED);
  const undated = versions.length - dates.length;
  if (dates.length > 0) rows.push(["written", `from ${dates.at(-1)} to ${dates[0]}`]);
  if (undated > 0) rows.push(["undated", String(undated)]);
  return rows;
}

/** How often a mark is in the lessons. */
function countIn(lessons: readonly Lesson[], mark: string): number {
  const pieces = JSON.stringify(lessons).split(mark);
  return pieces.length - 1;
}

function tokensOf(snapshot: Snapshot): number {
  const references = new References(snapshot);
  let tokens = 0;
  for (const [index, line] of snapshot.lessons().entries()) {
    const text = block(line.version, index + 1, references.short(line), line.also);
    tokens += estimateTokens(text);
  }
  return tokens;
}
