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

export async function printStats(context: LessonCommandContext): Promise<void> {
  const { lessons, terminal } = context;
  const snapshot = await readMemory(context);
  const { compact_threshold: threshold } = await readPolicy(context);
  const facts = {
    ...contents(snapshot, threshold),
    file: `${plural(await sizeOfFile(lessons.location), "byte")}, ${lessons.location}`,
    "in full": `about ${plural(tokensOf(snapshot), "token")} in an answer that shows every lesson`,
  };
  for (const [name, fact] of Object.entries(facts)) {
    terminal.print(`${terminal.page.colours.dim(name.padEnd(12))}${fact}`);
  }
}

function contents(snapshot: Snapshot, threshold: number): Record<string, string> {
  const versions = [...snapshot.lessons()].sort(newestFirst).map(({ version }) => version);
  const principles = versions.filter(({ type }) => type === "principle").length;
  const forgotten = snapshot.lines().filter(({ version }) => isTombstone(version)).length;
  const dates = versions
    .map(({ meta }) => dateOf(revisionOf(meta)))
    .filter((date) => date !== UNDATED);
  const undated = versions.length - dates.length;
  return {
    records: `${versions.length}${compactionDue(snapshot, threshold) ? " (a compaction is due)" : ` (no compaction is due; the threshold is ${threshold})`}`,
    principles: String(principles),
    topics: String(topicsOf(snapshot).length),
    forgotten: String(forgotten),
    "taken out": `${plural(countIn(versions, MARK), "redaction")}, ${plural(countIn(versions, PRIVATE_MARK), "private passage")}`,
    ...(dates.length > 0 && { written: `from ${dates.at(-1)} to ${dates[0]}` }),
    ...(undated > 0 && { undated: String(undated) }),
  };
}

function countIn(lessons: readonly Lesson[], mark: string): number {
  return lessons.reduce((sum, lesson) => sum + JSON.stringify(lesson).split(mark).length - 1, 0);
}

function tokensOf(snapshot: Snapshot): number {
  const references = new References(snapshot);
  return snapshot.lessons().reduce((sum, entry, index) => {
    return (
      sum + estimateTokens(block(entry.version, index + 1, references.short(entry), entry.also))
    );
  }, 0);
}
