/**
 * What a durable write costs, through MCP, with everything a client would pay:
 * `npm run bench:write -- [--json] [--quick] [--before FOLDER]`, with a folder that holds another build.
 *
 * Beside each figure stand, in turn, the release before, the official memory server, which neither locks nor flushes, and the floor: write
 * a temporary file of the same size, fsync it, rename it.
 */
import { open, readFile, rename, stat } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { realisticMemory } from "../../test/support/realistic-memory.ts";
import { removeFolder } from "../../test/support/scratch.ts";
import { type Server, startServer } from "../../test/support/server.ts";
import type { Start } from "../support/servers.ts";
import { type Contender, contenders, inTurn, lasting, OFFICIAL } from "../support/side-by-side.ts";
import { sized } from "../support/sized.ts";
import { print, quantile, type Row, round } from "../support/table.ts";

const { values } = parseArgs({
  options: {
    json: { type: "boolean", default: false },
    quick: { type: "boolean", default: false },
    before: { type: "string" },
  },
});
const SIZES = sized(values.quick ? [50, 1_000] : [50, 1_000, 10_000], [10]);
const PROCESSES = sized([1, 4, 8], [1, 2]);
const RECORDS = sized([0, 1_000], [0]);
const CALLS = sized(50, 2);
const ROUNDS = sized(100, 2);
const WARM_UP = sized(10, 1);
const PIPELINED = sized([500, 1_000, 2_000], [5]);
/** Far above what any call takes. */
const HANGS_MS = 60_000;

const all = contenders(values.before);
const latency: Row[] = [];
for (const records of SIZES) {
  latency.push(...(await measureLatency(records)));
}
const throughput: Row[] = [];
for (const records of RECORDS) {
  for (const processes of PROCESSES) {
    for (const contender of all) {
      throughput.push(await measureThroughput(contender, processes, records));
    }
  }
}
const pipelined: Row[] = [];
for (const count of PIPELINED) {
  for (const contender of all) {
    if (contender !== OFFICIAL) {
      pipelined.push(await measurePipelined(contender, count));
    }
  }
}
print(
  [
    {
      title:
        "One client, one call after the other, in turn (ms; a new lesson, then an update of one)",
      rows: latency,
    },
    { title: `Several processes, ${CALLS} calls each, all at once`, rows: throughput },
    {
      title: "One process, all calls at once; the official server loses nearly all of them",
      rows: pipelined,
    },
  ],
  values.json,
);

/** A server with its folder, and what it writes a lesson with. */
interface Running extends Pick<Contender, "name" | "write"> {
  readonly server: Server;
  readonly file: string;
}

async function measureLatency(records: number): Promise<Row[]> {
  const { lessons } = realisticMemory(records);
  const starts = all.map((contender) => ({ contender, start: contender.start(lessons) }));
  const running = await Promise.all(starts.map(({ contender, start }) => run(contender, start)));
  const timed = (each: Running, text: string) => lasting(() => write(each, text));
  await inTurn(WARM_UP, running, (each, turn) => timed(each, `warm ${turn}`));
  const floor: number[] = [];
  const fresh = await inTurn(ROUNDS, running, async (each, turn) => {
    if (each === running[0]) {
      floor.push(await lasting(() => writeFloor(each.file)));
    }
    return timed(each, `gap ${turn}`);
  });
  const again = await inTurn(ROUNDS, running, (each) => timed(each, "gap 1"));
  for (const { server } of running) {
    await server.end();
  }
  for (const { start } of starts) {
    removeFolder(start.folder);
  }
  const official = fresh[all.indexOf(OFFICIAL)] ?? [];
  return running.map(({ name }, index) => {
    const [news, updates] = [fresh[index] ?? [], again[index] ?? []];
    return {
      records,
      server: name,
      "new p50": round(quantile(news, 0.5), 2),
      "new p95": round(quantile(news, 0.95), 2),
      "p50 of the official server's": round(quantile(news, 0.5) / quantile(official, 0.5), 2),
      "p95 of the official server's": round(quantile(news, 0.95) / quantile(official, 0.95), 2),
      "update p50": round(quantile(updates, 0.5), 2),
      "update p95": round(quantile(updates, 0.95), 2),
      "floor p50": round(quantile(floor, 0.5), 2),
      "floor p95": round(quantile(floor, 0.95), 2),
    };
  });
}

async function measureThroughput(
  contender: Contender,
  processes: number,
  records: number,
): Promise<Row> {
  const start = contender.start(realisticMemory(records).lessons);
  const running = await Promise.all(Array.from({ length: processes }, () => run(contender, start)));
  const calls: number[] = [];
  const ends: number[] = [];
  let errors = 0;
  const began = performance.now();
  await Promise.all(
    running.map(async (each, process) => {
      for (let call = 0; call < CALLS; call++) {
        calls.push(
          await lasting(() => write(each, `gap ${process} ${call}`).catch(() => void errors++)),
        );
      }
      ends.push(performance.now() - began);
    }),
  );
  const seconds = (performance.now() - began) / 1_000;
  await Promise.all(running.map(({ server }) => server.end()));
  const kept = await keptIn(contender.file(start.folder));
  removeFolder(start.folder);
  return {
    server: contender.name,
    records,
    processes,
    acknowledged: calls.length - errors,
    kept,
    "per second": Math.round(calls.length / seconds),
    seconds: round(seconds, 2),
    "p50 ms": round(quantile(calls, 0.5), 2),
    "p95 ms": round(quantile(calls, 0.95), 2),
    "worst ms": round(Math.max(...calls), 2),
    "slowest / fastest": round(Math.max(...ends) / Math.min(...ends), 2),
  };
}

async function measurePipelined(contender: Contender, count: number): Promise<Row> {
  const start = contender.start();
  const each = await run(contender, start);
  for (let call = 0; call < WARM_UP; call++) {
    await write(each, `warm ${call}`);
  }
  const before = await cpuSeconds(each.server.pid);
  const texts = Array.from({ length: count }, (_, call) => `gap 0 ${call}`);
  const ms = await lasting(() => Promise.all(texts.map((text) => write(each, text))));
  const cpu = (await cpuSeconds(each.server.pid)) - before;
  await each.server.end();
  const kept = await keptIn(each.file);
  removeFolder(start.folder);
  return {
    calls: count,
    server: contender.name,
    kept,
    seconds: round(ms / 1_000, 2),
    "CPU seconds": round(cpu, 2),
  };
}

async function run(contender: Contender, { script, folder, env }: Start): Promise<Running> {
  const server = await startServer({
    client: "bench",
    args: [script],
    cwd: folder,
    env,
    deadlineMs: HANGS_MS,
  });
  await server.list("tools");
  return { name: contender.name, write: contender.write, server, file: contender.file(folder) };
}

async function write({ server, write: callOf }: Running, text: string): Promise<void> {
  await server.ask(...callOf(text));
}

/** How many of the lessons of a bench a file has. */
async function keptIn(file: string): Promise<number> {
  return new Set((await readFile(file, "utf8")).match(/"gap \d+ \d+"/g)).size;
}

/** A temporary file of the memory's size, written, flushed and renamed. */
async function writeFloor(file: string): Promise<void> {
  const temporary = join(file, "..", "..", "floor");
  const handle = await open(temporary, "w");
  await handle.writeFile(Buffer.alloc((await stat(file)).size, "x"));
  await handle.sync();
  await handle.close();
  await rename(temporary, `${temporary}.renamed`);
}

/** Of a process so far, from the kernel's book-keeping, which counts in hundredths; 0 where there is none. */
async function cpuSeconds(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  const [user = 0, system = 0] =
    text.split(") ").at(-1)?.split(" ").slice(11, 13).map(Number) ?? [];
  return (user + system) / 100;
}
