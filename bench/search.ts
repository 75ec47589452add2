/**
 * How well and how fast search finds: `npm run bench:search -- --data DIR [--json]`.
 *
 * Quality on the LoCoMo conversations in DIR (snap-research/locomo, CC BY-NC 4.0, not part of this project), each a
 * memory of its own; speed and memory on generated records.
 */

import { parseArgs } from "node:util";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import type { Lesson } from "../src/lessons/format/record.ts";
import { realisticMemory } from "../test/support/realistic-memory.ts";
import { ENGINES, type Engine, textOf } from "./engines.ts";
import { type Conversation, readConversations } from "./locomo.ts";
import { print, quantile, type Row, round } from "./table.ts";

const SIZES = [1000, 10_000, 100_000];
const QUERIES = 200;

const { values } = parseArgs({ options: { data: { type: "string" }, json: { type: "boolean", default: false } } });
if (values.data === undefined) throw new Error("Say where locomo-dev.json is: npm run bench:search -- --data DIR");
const conversations = readConversations(values.data);
const engines = Object.entries(ENGINES);
const quality = engines.map(([engine, prepare]) => ({ engine, ...measureQuality(prepare, conversations) }));
const speed = SIZES.flatMap((records) =>
  engines.map(([engine, prepare]) => ({ engine, records, ...measureSpeed(prepare, records) })),
);
print(
  [
    { title: "Quality: share of a question's evidence found, in %", rows: quality },
    { title: `Speed: ms, over ${QUERIES} questions; memory of the index in MB`, rows: speed },
  ],
  values.json,
);

/** Means over all questions; a question with several turns of evidence counts by the share of them that is found. */
function measureQuality(prepare: Engine, conversations: readonly Conversation[]): Row {
  const sums = { "R@5": 0, "R@10": 0, "R@20": 0, "in 2,000 tokens": 0, "in 8,000 tokens": 0 };
  let reciprocal = 0;
  let asked = 0;
  for (const { lessons, questions } of conversations) {
    const search = prepare(lessons);
    const costs = new Map(lessons.map((lesson) => [lesson, countTokens(textOf(lesson))]));
    for (const { text, evidence } of questions) {
      const found = search(text);
      const share = (part: readonly Lesson[]) => part.filter(({ id }) => evidence.has(id)).length / evidence.size;
      const first = found.findIndex(({ id }) => evidence.has(id));
      sums["R@5"] += share(found.slice(0, 5));
      sums["R@10"] += share(found.slice(0, 10));
      sums["R@20"] += share(found.slice(0, 20));
      sums["in 2,000 tokens"] += share(fitting(found, 2000, costs));
      sums["in 8,000 tokens"] += share(fitting(found, 8000, costs));
      reciprocal += first === -1 ? 0 : 1 / (first + 1);
      asked++;
    }
  }
  const means = Object.entries(sums).map(([measure, sum]) => [measure, round((100 * sum) / asked, 1)]);
  return { questions: asked, ...Object.fromEntries(means), MRR: round(reciprocal / asked, 3) };
}

/** The first lessons, as many as cost at most `budget` tokens. */
function fitting(lessons: readonly Lesson[], budget: number, costs: ReadonlyMap<Lesson, number>): readonly Lesson[] {
  let left = budget;
  const end = lessons.findIndex((lesson) => {
    left -= costs.get(lesson) ?? 0;
    return left < 0;
  });
  return end === -1 ? lessons : lessons.slice(0, end);
}

function measureSpeed(prepare: Engine, records: number): Row {
  const { lessons, questions } = realisticMemory(records);
  const texts = questions(QUERIES).map(({ text }) => text);
  const before = usedMegabytes();
  const start = performance.now();
  const search = prepare(lessons);
  const index = performance.now() - start;
  const memory = usedMegabytes() - before;
  const times = texts.map((text) => {
    const start = performance.now();
    search(text);
    return performance.now() - start;
  });
  const at = (share: number) => round(quantile(times, share), 1);
  return { index: round(index, 0), p50: at(0.5), p95: at(0.95), memory: round(memory, 1) };
}

function usedMegabytes(): number {
  setFlagsFromString("--expose-gc");
  runInNewContext("gc")();
  return process.memoryUsage().heapUsed / 1e6;
}
