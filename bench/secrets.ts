/**
 * How many secrets does the redactor catch, how many ordinary lines does it change, and how long does it take?
 *
 *   npm run bench:secrets -- --data DIR [--tools DIR] [--gitleaks FILE] [--json] [--show]
 *
 * DIR holds positives.jsonl and negatives.jsonl; its README says how a catch is counted. `--show` lists what
 * was missed and which ordinary lines were changed. `--tools` names a folder with results of tools, see
 * `secrets-material.ts`. `--gitleaks` is gitleaks' `config/gitleaks.toml`, whose rules then stand beside ours.
 */
import { performance } from "node:perf_hooks";
import { parseArgs } from "node:util";
import { redact } from "../src/ground/redaction/redact.ts";
import { NEAR_MISSES, PREFIXES } from "../test/support/near-misses.ts";
import { dataFolder } from "./data-folder.ts";
import { redactFirst } from "./first-redaction.ts";
import { ablation } from "./secrets-ablation.ts";
import { hardLines, ordinaryMaterial, toolOutput } from "./secrets-material.ts";
import { realThroughput } from "./secrets-real-texts.ts";
import { isCaught, type Negative, NOT_COUNTED, type Positive, read } from "./secrets-samples.ts";
import { besideScanners } from "./secrets-scanner.ts";
import { memory, repetitions, throughput } from "./secrets-throughput.ts";
import { print as printSections } from "./table.ts";

const LEGAL_BYTES = 1024;
const { values: options } = parseArgs({
  options: {
    data: { type: "string" },
    tools: { type: "string" },
    gitleaks: { type: "string" },
    json: { type: "boolean" },
    show: { type: "boolean" },
  },
});
const data = dataFolder(options.data, "bench:secrets", "positives.jsonl and negatives.jsonl");

const positives = read<Positive>(data, "positives.jsonl");
const negatives = read<Negative>(data, "negatives.jsonl");
const all = [...positives, ...negatives].map(({ text }) => text);

const cold = time(redactFirst);
const caught = countBy(positives, ({ tier }) => tier, wasCaught);
const changed = countBy(
  negatives,
  ({ group }) => group,
  ({ text }) => redact(text).text !== text,
);
const counted = positives.filter(({ tier }) => tier !== NOT_COUNTED);
const total = counted.filter(wasCaught).length / counted.length;
const legal = all.filter((text) => Buffer.byteLength(text) <= LEGAL_BYTES);
const milliseconds = legal.map(bestOf).sort((a, b) => a - b);
const slowest = [...NEAR_MISSES, ...PREFIXES]
  .map((piece) => ({ piece, ms: bestOf(fill(piece)) }))
  .sort((a, b) => b.ms - a.ms);
const times = {
  warmUp: cold,
  p50: at(0.5),
  p95: at(0.95),
  max: milliseconds.at(-1) ?? 0,
  nearMissMax: slowest[0]?.ms ?? 0,
};

if (options.json)
  console.log(JSON.stringify({ total, caught, changed, times, slowest: slowest.slice(0, 5) }));
else print();
const sections = [
  ...(await besideScanners(counted, negatives, options.gitleaks)),
  ...(options.tools ? [toolOutput(options.tools, options.show === true)] : []),
  hardLines(),
  ordinaryMaterial(),
  ablation(counted, negatives),
  realThroughput(options.tools),
  throughput(),
  memory(),
  repetitions(),
];
printSections(sections, options.json === true);

function print(): void {
  const row = (...cells: readonly (string | number)[]) =>
    console.log(
      cells.map((cell, i) => (i ? String(cell).padStart(10) : String(cell).padEnd(20))).join(""),
    );
  row("tier", "caught", "of", "%");
  for (const [tier, { hits, of }] of Object.entries(caught))
    row(tier, hits, of, ((100 * hits) / of).toFixed(1));
  row(`all but ${NOT_COUNTED}`, "", "", (100 * total).toFixed(2));
  console.log();
  row("ordinary lines", "changed", "of");
  for (const [group, { hits, of }] of Object.entries(changed)) row(group, hits, of);
  console.log();
  row("milliseconds", "p50", "p95", "max", "near-miss", "warm-up");
  row(
    "a call",
    ...[times.p50, times.p95, times.max, times.nearMissMax, times.warmUp].map((ms) =>
      ms.toFixed(3),
    ),
  );
  console.log(
    `slowest near-misses: ${slowest
      .slice(0, 3)
      .map(({ piece, ms }) => `${JSON.stringify(piece)} ${ms.toFixed(2)}`)
      .join(", ")}`,
  );
  if (!options.show) return;
  for (const sample of positives)
    if (!wasCaught(sample))
      console.log("missed", sample.tier, sample.kind, JSON.stringify(sample.text));
  for (const { text, kind, group } of negatives)
    if (group === "strict" && redact(text).text !== text)
      console.log("changed", kind, JSON.stringify(redact(text).text));
}

function wasCaught(sample: Positive): boolean {
  return isCaught(sample, redact(sample.text).text);
}

function countBy<T>(samples: readonly T[], by: (sample: T) => string, hit: (sample: T) => boolean) {
  const counts: Record<string, { hits: number; of: number }> = {};
  for (const sample of samples) {
    const { hits, of } = counts[by(sample)] ?? { hits: 0, of: 0 };
    counts[by(sample)] = { hits: hits + (hit(sample) ? 1 : 0), of: of + 1 };
  }
  return counts;
}

/** The best of five calls: what the work costs, without what else the machine did. */
function bestOf(text: string): number {
  return Math.min(...Array.from({ length: 5 }, () => time(() => redact(text))));
}

function time(work: () => void): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}

function at(share: number): number {
  return milliseconds[Math.floor(milliseconds.length * share)] ?? 0;
}

function fill(piece: string): string {
  const once = Buffer.byteLength(piece);
  return piece.repeat(Math.floor(LEGAL_BYTES / once));
}
