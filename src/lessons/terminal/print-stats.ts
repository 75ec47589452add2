import { plural } from "../../ground/core/text.ts";
import { estimateTokens } from "../../ground/core/tokens.ts";
import { sizeOfFile } from "../../ground/files/read-files.ts";
import { block } from "../format/lesson-text.ts";
import type { Snapshot } from "../merge/fold.ts";
import { compactionDue } from "../queries/compaction.ts";
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
  const principles = snapshot.lessons().filter(({ version }) => version.type === "principle");
  const due = compactionDue(snapshot, threshold)
    ? "a compaction is due"
    : `no compaction is due; the threshold is ${threshold}`;
  return [
    ["records", `${snapshot.count} (${due})`],
    ["principles", String(principles.length)],
    ["topics", String(topicsOf(snapshot).length)],
  ];
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
