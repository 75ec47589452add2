/**
 * What a session gets back after its context was compacted, out of what stood before: for each compaction in real transcripts, whether the
 * text of the hook carries the request, the last command and how it ended, the files in flight, the open tasks, the last decision
 * and the child agents that still run. What stood before is read by a program of its own (`compactions-truth.ts`).
 *
 * `npm run bench:compactions -- --data DIR [--each] [--json]`: DIR has transcripts of Claude Code, in any depth; `--each` prints what a
 * compaction lost, with the text.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { estimateTokens } from "../src/ground/core/tokens.ts";
import { AFTER_COMPACTION } from "../src/lessons/hooks/limits.ts";
import { afterCompaction } from "../src/sessions/resume/notes/after-compaction.ts";
import { ASPECTS, type Compaction, compactionsIn, normal } from "./compactions-truth.ts";
import { dataFolder } from "./data-folder.ts";
import { tellOf } from "./record-transcript.ts";
import { print, quantile, type Row, round } from "./table.ts";

const { values } = parseArgs({
  options: { data: { type: "string" }, each: { type: "boolean" }, json: { type: "boolean" } },
});
const folder = dataFolder(values.data, "bench:compactions", "transcripts of Claude Code");

const compactions = filesIn(folder).flatMap((path) => compactionsIn(readFileSync(path, "utf8")));
const [carried, stood] = [new Map<string, number>(), new Map<string, number>()];
const tokens: number[] = [];
let whole = 0;
for (const compaction of compactions) {
  const text = await textAfter(compaction);
  const lost: string[] = [];
  for (const aspect of ASPECTS) {
    for (const wanted of compaction.before[aspect]) {
      add(stood, aspect);
      if (wanted.every((part) => normal(text).includes(part))) add(carried, aspect);
      else lost.push(`${aspect}: ${wanted.join(" … ")}`);
    }
  }
  tokens.push(estimateTokens(text));
  if (lost.length === 0) whole += 1;
  else if (values.each)
    console.log([`${compaction.session} at ${compaction.at} lost:`, ...lost, text, ""].join("\n"));
}
const rows: Row[] = ASPECTS.map((aspect) => {
  const [had, all] = [carried.get(aspect) ?? 0, stood.get(aspect) ?? 0];
  return {
    what: aspect,
    stood: all,
    carried: had,
    "%": all === 0 ? "" : round((100 * had) / all, 1),
  };
});
const all: Row = {
  compactions: compactions.length,
  "carried all of it": whole,
  "tokens p50": quantile(tokens, 0.5),
  "tokens most": Math.max(0, ...tokens),
};
print(
  [
    { title: "What stood before a compaction, and is told after it", rows },
    { title: "Compactions", rows: [all] },
  ],
  values.json ?? false,
);

function filesIn(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return names.filter((name) => name.endsWith(".jsonl")).map((name) => join(folder, name));
}

/** The text of the hook for a session whose transcript ends with its compaction. */
function textAfter(compaction: Compaction): Promise<string> {
  const { session, at } = compaction;
  return tellOf(compaction, Date.parse(at), (recent) =>
    afterCompaction(
      recent,
      { session, isRead: true, command: "sentinel-memory" },
      AFTER_COMPACTION,
    ),
  );
}

function add(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
