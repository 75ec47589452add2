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
import { realisticMemory } from "../test/support/realistic-memory.ts";
import { dataFolder } from "./data-folder.ts";
import { ENGINES, type Engine, textOf } from "./engines.ts";
import { asLessons, type Conversation, readConversations } from "./locomo.ts";
import { Quality } from "./quality.ts";
import { sized } from "./sized.ts";
import { print, quantile, type Row, round } from "./table.ts";

const SIZES = sized([1000, 10_000, 100_000], [10]);
const QUERIES = sized(200, 2);

const { values } = parseArgs({
  options: { data: { type: "string" }, json: { type: "boolean", default: false } },
});
const conversations = readConversations(dataFolder(values.data, "bench:search", "locomo-dev.json"));
const engines = Object.entries(ENGINES);
const quality = engines.map(([engine, prepare]) => ({
  engine,
  ...measureQuality(prepare, conversations),
}));
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

function measureQuality(prepare: Engine, conversations: readonly Conversation[]): Row {
  const quality = new Quality();
  for (const { turns, questions } of conversations) {
    const lessons = asLessons(turns);
    const search = prepare(lessons);
    const costs = new Map(lessons.map((lesson) => [lesson.id, countTokens(textOf(lesson))]));
    quality.add(questions, (query) => search(query).map(({ id }) => id), costs);
  }
  return quality.means();
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
