/**
 * Appending to the session log, beside the floor of the same run: appending the same bytes to a file and flushing them. Redaction is told
 * apart, and opening a lesson and its size on disk are measured too: `npm run bench:events [-- --json]`.
 */
import { closeSync, fsyncSync, openSync, readdirSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";
import { appendLines } from "../../src/ground/files/append-log.ts";
import { writeEventLine } from "../../src/sessions/files/event-line.ts";
import { logFiles } from "../../src/sessions/files/log-files.ts";
import { appendEvents, jsonlEventStore } from "../../src/sessions/files/store.ts";
import type { EventDraft } from "../../src/sessions/kinds/event.ts";
import type { EventStore } from "../../src/sessions/store.ts";
import { type Prepared, prepare } from "../../src/sessions/storing/prepare.ts";
import { eventRedactor } from "../../src/sessions/storing/redactor.ts";
import { seeded } from "../../test/support/random.ts";
import { removeFolder, scratchFolder } from "../../test/support/scratch.ts";
import { UNREDACTED } from "../../test/support/unredacted.ts";
import { sized } from "../support/sized.ts";
import { print, quantile, type Row, round, type Section } from "../support/table.ts";

/** The median result of a tool in 439 sessions, in characters. */
const MEDIAN_TEXT = 456;
const ROUNDS = sized(400, 2);
const BATCH = sized(500, 5);
const BATCHES = sized(20, 2);
const OPENINGS = sized(100, 2);
const SIZES = sized([1_000, 100_000], [20]);
const PER_DAY = 1_000;
const START = Date.parse("2026-07-01T08:00:00.000Z");
const LINE =
  "src/store/orders.ts:42:  const total = orders.reduce((sum, order) => sum + order.price, 0);\n";

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
    singles.push(await measureSingles(record, size));
    batches.push(await measureBatches(record, size));
    opening.push(await measureOpening(record, size));
  }
  const sections: Section[] = [
    { title: `One event with a text of ${MEDIAN_TEXT} characters, ms`, rows: singles },
    { title: `Batches of ${BATCH} events, MB a second in the median`, rows: batches },
    { title: "Opening a lesson and appending the first event, ms", rows: opening },
    { title: "On disk", rows: disk },
  ];
  print(sections, process.argv.includes("--json"));
} finally {
  removeFolder(folder);
}

async function measureSingles(record: string, size: number): Promise<Row> {
  const times = await measure(record, ROUNDS, (turn) => [draft(size + turn)]);
  const p95 = quantile(times.store, 0.95);
  const floorP95 = quantile(times.floor, 0.95);
  return {
    events: size,
    "redaction p50": round(quantile(times.redaction, 0.5), 3),
    "store p50": round(quantile(times.store, 0.5), 3),
    "floor p50": round(quantile(times.floor, 0.5), 3),
    "store p95": round(p95, 3),
    "floor p95": round(floorP95, 3),
    "p95 / floor": round(p95 / floorP95, 2),
  };
}

async function measureBatches(record: string, size: number): Promise<Row> {
  const batch = (turn: number) =>
    Array.from({ length: BATCH }, (_, at) => draft(size + (turn + 1) * BATCH + at));
  const times = await measure(record, BATCHES, batch);
  const perSecond = (ms: readonly number[]) => times.bytes / BATCHES / 1_000 / quantile(ms, 0.5);
  return {
    events: size,
    redaction: round(perSecond(times.redaction), 1),
    store: round(perSecond(times.store), 1),
    floor: round(perSecond(times.floor), 1),
    "store / floor": round(perSecond(times.store) / perSecond(times.floor), 2),
    "lines that are JSON already": round(perSecond(times.lines), 1),
    "lines / floor": round(perSecond(times.lines) / perSecond(times.floor), 2),
  };
}

/**
 * Appends to the session log and to the floor, in turns. What a draft becomes before anything is written (its id, its hash, its cuts) belongs
 * to redaction here: the store begins with the redacted event.
 */
async function measure(record: string, turns: number, drafts: (turn: number) => EventDraft[]) {
  const files = logFiles(record);
  const redactor = eventRedactor();
  const floorFile = join(folder, "floor");
  const linesFile = join(folder, "lines");
  const times = {
    redaction: [] as number[],
    store: [] as number[],
    lines: [] as number[],
    floor: [] as number[],
    bytes: 0,
  };
  for (let turn = 0; turn < turns; turn++) {
    const batch = drafts(turn);
    let prepared: Prepared[] = [];
    const prepareAll = () => {
      prepared = batch.map((one) => prepare(one, redactor, START));
    };
    times.redaction.push(timed(prepareAll));
    const lines = prepared.map(writeEventLine);
    const bytes = Buffer.from(`${lines.join("\n")}\n`);
    const writeFloor = () => times.floor.push(timed(() => appendAndFlush(floorFile, bytes)));
    // What is flushed second finds the disk busy or idle as the first one left it.
    if (turn % 2 === 0) {
      writeFloor();
    }
    const start = performance.now();
    await appendEvents(files, prepared, START);
    times.store.push(performance.now() - start);
    times.lines.push(timed(() => appendLines(linesFile, lines)));
    if (turn % 2 === 1) {
      writeFloor();
    }
    times.bytes += bytes.length;
  }
  return times;
}

function timed(act: () => void): number {
  const start = performance.now();
  act();
  return performance.now() - start;
}

/** What a process pays that has just started: nothing but its first append. */
async function measureOpening(record: string, size: number): Promise<Row> {
  const times: number[] = [];
  for (let turn = 0; turn < OPENINGS; turn++) {
    const before = performance.now();
    await open(record).append([draft(size + turn)]);
    times.push(performance.now() - before);
  }
  return {
    events: size,
    p50: round(quantile(times, 0.5), 3),
    p95: round(quantile(times, 0.95), 3),
  };
}

async function furnish(record: string, size: number): Promise<void> {
  const store = open(record);
  for (let first = 0; first < size; first += 1_000) {
    await store.append(
      Array.from({ length: Math.min(1_000, size - first) }, (_, at) => draft(first + at)),
    );
  }
}

function open(record: string): EventStore {
  return jsonlEventStore({ folder: record, redactor: UNREDACTED, now: () => START });
}

/** Results of tools, of a length that differs around the median. */
function draft(number: number): EventDraft {
  const random = seeded(number);
  const length = Math.round(MEDIAN_TEXT * (0.5 + random()));
  return {
    ts: new Date(
      START + Math.floor(number / PER_DAY) * 86_400_000 + (number % PER_DAY) * 30_000,
    ).toISOString(),
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
  return {
    events: size,
    files: files.length,
    MB: round(bytes / 1e6, 1),
    "bytes an event": Math.round(bytes / size),
  };
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
