/**
 * What a durable write costs, through MCP, with everything a client would pay: `npm run bench:write -- [--json] [--quick]`.
 *
 * Beside each figure stands the floor, measured in the same run: write a temporary file of the same size, fsync it, rename
 * it. And the official memory server, which neither locks nor flushes: its figures say what the same calls cost without.
 */
import { mkdir, open, readFile, rename, stat, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { writeVersion } from "../src/lessons/format/record.ts";
import { toFile } from "../test/support/lines.ts";
import { BIN } from "../test/support/project.ts";
import { realisticMemory } from "../test/support/realistic-memory.ts";
import { removeFolder, scratchFolder } from "../test/support/scratch.ts";
import { type Server, startServer } from "../test/support/server.ts";

const QUICK = process.argv.includes("--quick");
const SIZES = QUICK ? [50, 1_000] : [50, 1_000, 10_000, 50_000];
const PROCESSES = [1, 4, 8];
const CALLS = 50;
/** Far above what any call takes. */
const HANGS_MS = 60_000;

/** A server to measure: how it is started on a folder, and how it logs one more record. */
interface Contender {
  readonly name: string;
  readonly file: (folder: string) => string;
  readonly start: (folder: string) => { args: string[]; env: Record<string, string> };
  readonly tool: string;
  readonly lesson: (text: string) => Record<string, unknown>;
  readonly lines: (count: number) => string[];
}

const SENTINEL: Contender = {
  name: "sentinel-memory",
  file: (folder) => join(folder, ".context", "memory_log.jsonl"),
  start: (folder) => ({ args: [BIN, "--project", folder], env: {} }),
  tool: "log_memory",
  lesson: (text) => ({ topic: "bench", missing_context: text, lesson: `Ask about ${text} before you begin.` }),
  lines: (count) => realisticMemory(count).lessons.map(writeVersion),
};

const OFFICIAL: Contender = {
  name: "@modelcontextprotocol/server-memory",
  file: (folder) => join(folder, "memory.jsonl"),
  start: (folder) => ({
    args: [createRequire(import.meta.url).resolve("@modelcontextprotocol/server-memory/dist/index.js")],
    env: { MEMORY_FILE_PATH: join(folder, "memory.jsonl") },
  }),
  tool: "create_entities",
  lesson: (text) => ({
    entities: [{ name: text, entityType: "bench", observations: [`Ask about ${text} before you begin.`] }],
  }),
  lines: (count) =>
    realisticMemory(count).lessons.map(({ id, topic, missing_context, lesson }) =>
      JSON.stringify({ type: "entity", name: id, entityType: topic, observations: [missing_context, lesson] }),
    ),
};

const latency = [];
for (const records of SIZES) {
  for (const contender of [SENTINEL, OFFICIAL]) latency.push(await measureLatency(contender, records));
}
const throughput = [];
for (const records of [0, 1_000]) {
  for (const processes of PROCESSES) {
    for (const contender of [SENTINEL, OFFICIAL])
      throughput.push(await measureThroughput(contender, processes, records));
  }
}
const pipelined = await measurePipelined(SENTINEL, 2_000);

if (process.argv.includes("--json")) console.log(JSON.stringify({ latency, throughput, pipelined }, null, 2));
else {
  console.log("One client, one call after the other (ms; a new record, then an update of one)");
  console.table(latency);
  console.log(`Several processes, ${CALLS} calls each, all at once`);
  console.table(throughput);
  console.log("One process, all calls at once");
  console.table([pipelined]);
}

async function measureLatency(contender: Contender, records: number) {
  return inFolder(contender, records, async (folder) => {
    const server = await connect(contender, folder);
    const count = records > 10_000 ? 20 : 100;
    for (let call = 0; call < 5; call++) await write(contender, server, `warm ${call}`);
    const fresh: number[] = [];
    const again: number[] = [];
    for (let call = 0; call < count; call++) fresh.push(await timed(() => write(contender, server, `gap ${call}`)));
    for (let call = 0; call < count; call++) again.push(await timed(() => write(contender, server, "gap 1")));
    await server.end();
    const floor = await measureFloor(folder, contender.file(folder), count);
    return {
      server: contender.name,
      records,
      "new p50": percentile(fresh, 0.5),
      "new p95": percentile(fresh, 0.95),
      "update p50": percentile(again, 0.5),
      "update p95": percentile(again, 0.95),
      "floor p50": percentile(floor, 0.5),
      "floor p95": percentile(floor, 0.95),
    };
  });
}

async function measureThroughput(contender: Contender, processes: number, records: number) {
  return inFolder(contender, records, async (folder) => {
    const servers = await Promise.all(Array.from({ length: processes }, () => connect(contender, folder)));
    const calls: number[] = [];
    const ends: number[] = [];
    let errors = 0;
    const start = performance.now();
    await Promise.all(
      servers.map(async (server, process) => {
        for (let call = 0; call < CALLS; call++) {
          calls.push(await timed(() => write(contender, server, `gap ${process} ${call}`).catch(() => void errors++)));
        }
        ends.push(performance.now() - start);
      }),
    );
    const seconds = (performance.now() - start) / 1_000;
    await Promise.all(servers.map((server) => server.end()));
    const kept = (await readFile(contender.file(folder), "utf8")).match(/"gap \d+ \d+"/g) ?? [];
    return {
      server: contender.name,
      records,
      processes,
      acknowledged: calls.length - errors,
      kept: new Set(kept).size,
      "per second": Math.round(calls.length / seconds),
      seconds: rounded(seconds),
      "p50 ms": percentile(calls, 0.5),
      "p95 ms": percentile(calls, 0.95),
      "worst ms": rounded(Math.max(...calls)),
      "slowest / fastest": rounded(Math.max(...ends) / Math.min(...ends)),
    };
  });
}

async function measurePipelined(contender: Contender, count: number) {
  return inFolder(contender, 0, async (folder) => {
    const server = await connect(contender, folder);
    const seconds = await timed(() =>
      Promise.all(Array.from({ length: count }, (_, call) => write(contender, server, `gap 0 ${call}`))),
    );
    await server.end();
    const kept = (await readFile(contender.file(folder), "utf8")).match(/"gap \d+ \d+"/g) ?? [];
    return { server: contender.name, calls: count, kept: new Set(kept).size, seconds: rounded(seconds / 1_000) };
  });
}

/** A temporary file of the memory's size, written, flushed and renamed. */
async function measureFloor(folder: string, file: string, count: number): Promise<number[]> {
  const bytes = Buffer.alloc((await stat(file)).size, "x");
  const temporary = join(folder, "floor");
  const times: number[] = [];
  for (let call = 0; call < count; call++) {
    times.push(
      await timed(async () => {
        const handle = await open(temporary, "w");
        await handle.writeFile(bytes);
        await handle.sync();
        await handle.close();
        await rename(temporary, `${temporary}.renamed`);
      }),
    );
  }
  return times;
}

async function inFolder<T>(contender: Contender, records: number, measure: (folder: string) => Promise<T>): Promise<T> {
  const folder = scratchFolder();
  try {
    await mkdir(join(folder, ".context"));
    if (records > 0) await writeFile(contender.file(folder), toFile(contender.lines(records)));
    return await measure(folder);
  } finally {
    removeFolder(folder);
  }
}

async function connect(contender: Contender, folder: string): Promise<Server> {
  const server = await startServer({ client: "bench", ...contender.start(folder), deadlineMs: HANGS_MS });
  await server.list("tools");
  return server;
}

async function write({ tool, lesson }: Contender, server: Server, text: string): Promise<void> {
  await server.ask(tool, lesson(text));
}

async function timed(act: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await act();
  return performance.now() - start;
}

function percentile(times: readonly number[], share: number): number {
  const sorted = [...times].sort((a, b) => a - b);
  return rounded(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0);
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}
