/**
 * Appending to the record, beside the floor of the same run: appending the same bytes to a file and flushing them. Redaction is told
 * apart, and opening a record and its size on disk are measured too: `npm run bench:events [-- --json]`.
 */
import { closeSync, fsyncSync, openSync, readdirSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { EventDraft } from "../src/events/event.ts";
import { writeEventLine } from "../src/events/jsonl/event-line.ts";
import { JsonlEventStore } from "../src/events/jsonl/store.ts";
import { eventRedactor, type Redactor } from "../src/events/redactor.ts";
import { seeded } from "../test/support/random.ts";
import { removeFolder, scratchFolder } from "../test/support/scratch.ts";
import { UNREDACTED } from "../test/support/unredacted.ts";
import { print, quantile, type Row, round, type Section } from "./table.ts";

/** The median result of a tool in 439 sessions, in characters. */
const MEDIAN_TEXT = 456;
const ROUNDS = 400;
const BATCH = 500;
const BATCHES = 20;
const SIZES = [1_000, 100_000];
const PER_DAY = 900;
const START = Date.parse("2026-07-01T08:00:00.000Z");
const LINE = "src/store/orders.ts:42:  const total = orders.reduce((sum, order) => sum + order.price, 0);\n";

const folder = scratchFolder();
try {
  const singles: Row[] = [];
  const batches: Row[] = [];
  const opening: Row[] = [];
  const disk: Row[] = [];
  for (const size of SIZES) {
    const record = join(folder, `record-${size}`);
    await furnish(record, size);
    disk.push(sizeOf(record, size));
    singles.push(await measureSingles(record, size, UNREDACTED, "redacted before"));
    singles.push(await measureSingles(record, size, eventRedactor(), "with redaction"));
    batches.push(await measureBatches(record, size));
    opening.push(await measureOpening(record, size));
  }
  const sections: Section[] = [
    { title: `One event of ${MEDIAN_TEXT} characters, ms`, rows: singles },
    { title: `Batches of ${BATCH} events, MB a second`, rows: batches },
    { title: "Opening a record and appending the first event, ms", rows: opening },
    { title: "On disk", rows: disk },
  ];
  print(sections, process.argv.includes("--json"));
} finally {
  removeFolder(folder);
}

async function measureSingles(record: string, size: number, redactor: Redactor, redaction: string): Promise<Row> {
  const store = open(record, redactor);
  const floorFile = join(folder, "floor");
  const ours: number[] = [];
  const floor: number[] = [];
  for (let turn = 0; turn < ROUNDS; turn++) {
    const before = performance.now();
    const [event] = await store.append([draft(size + turn)]);
    const between = performance.now();
    const line = event ? `${writeEventLine(event)}\n` : "";
    const start = performance.now();
    appendAndFlush(floorFile, Buffer.from(line));
    floor.push(performance.now() - start);
    ours.push(between - before);
  }
  const p95 = quantile(ours, 0.95);
  const floorP95 = quantile(floor, 0.95);
  return {
    events: size,
    redaction,
    p50: round(quantile(ours, 0.5), 3),
    p95: round(p95, 3),
    "floor p50": round(quantile(floor, 0.5), 3),
    "floor p95": round(floorP95, 3),
    "p95 / floor": round(p95 / floorP95, 2),
  };
}

async function measureBatches(record: string, size: number): Promise<Row> {
  const store = open(record, UNREDACTED);
  const floorFile = join(folder, "floor-batches");
  const spent = { ours: 0, floor: 0, bytes: 0 };
  for (let turn = 0; turn < BATCHES; turn++) {
    const drafts = Array.from({ length: BATCH }, (_, at) => draft(size + ROUNDS + turn * BATCH + at));
    const before = performance.now();
    const events = await store.append(drafts);
    spent.ours += performance.now() - before;
    const bytes = Buffer.from(events.map((event) => (event ? `${writeEventLine(event)}\n` : "")).join(""));
    const start = performance.now();
    appendAndFlush(floorFile, bytes);
    spent.floor += performance.now() - start;
    spent.bytes += bytes.length;
  }
  const perSecond = (ms: number) => round(spent.bytes / 1_000 / ms, 1);
  return {
    events: size,
    ours: perSecond(spent.ours),
    floor: perSecond(spent.floor),
    "ours / floor": round(spent.floor / spent.ours, 2),
  };
}

/** What a process pays that has just started: nothing but its first append. */
async function measureOpening(record: string, size: number): Promise<Row> {
  const times: number[] = [];
  for (let turn = 0; turn < 100; turn++) {
    const before = performance.now();
    await open(record, UNREDACTED).append([draft(size + turn)]);
    times.push(performance.now() - before);
  }
  return { events: size, p50: round(quantile(times, 0.5), 3), p95: round(quantile(times, 0.95), 3) };
}

async function furnish(record: string, size: number): Promise<void> {
  const store = open(record, UNREDACTED);
  for (let first = 0; first < size; first += 1_000)
    await store.append(Array.from({ length: Math.min(1_000, size - first) }, (_, at) => draft(first + at)));
}

function open(record: string, redactor: Redactor): JsonlEventStore {
  return new JsonlEventStore({ folder: record, redactor, now: () => START });
}

/** Results of tools, of a length that differs around the median. */
function draft(number: number): EventDraft {
  const random = seeded(number);
  const length = Math.round(MEDIAN_TEXT * (0.5 + random()));
  return {
    ts: new Date(START + Math.floor(number / PER_DAY) * 86_400_000 + (number % PER_DAY) * 30_000).toISOString(),
    session: "0b9a7c3e-1234-4a4b-9c9d-aabbccddeeff",
    agent: "claude-code",
    actor: { type: "tool", id: "tool.Bash" },
    kind: "tool_result",
    content: { tool: "Bash", text: `${number} ${LINE.repeat(9)}`.slice(0, length) },
    origin: `claude-code/${number}/toolu_${number}`,
    place: { branch: "main", cwd: "/home/jo/shop" },
  };
}

function sizeOf(record: string, size: number): Row {
  const names = readdirSync(record, { recursive: true, encoding: "utf8" });
  const files = names.map((name) => statSync(join(record, name))).filter((info) => info.isFile());
  const bytes = files.reduce((sum, info) => sum + info.size, 0);
  return { events: size, files: files.length, MB: round(bytes / 1e6, 1), "bytes an event": Math.round(bytes / size) };
}

/** One write at the end of a file that is opened for it, as any program does that keeps no file open. */
function appendAndFlush(path: string, bytes: Buffer): void {
  const file = openSync(path, "a");
  try {
    writeSync(file, bytes);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
