/**
 * How fast the index of the session log answers, beside a bare start of node and MiniSearch on the same chunks: `npm run bench:index
 * [-- --long] [--json]`. `--long` adds a million chunks. How well it finds is measured by bench:recall.
 */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { build } from "esbuild";
import { folderSize } from "../../src/ground/files/read-files.ts";
import { jsonlEventStore } from "../../src/sessions/files/store.ts";
import type { EventDraft } from "../../src/sessions/kinds/event.ts";
import { removeFolder, scratchFolder } from "../../test/support/scratch.ts";
import { UNREDACTED } from "../../test/support/unredacted.ts";
import { bareStart, plainEnv, timed } from "../support/side-by-side.ts";
import { sized } from "../support/sized.ts";
import { print, quantile, type Row, round } from "../support/table.ts";

/** What is asked: a share of a bare start, by the number of chunks. */
const MOST_STARTS_WARM: Readonly<Record<number, number>> = { 10000: 0.3, 100000: 0.7, 1000000: 3 };
const MOST_STARTS_COLD: Readonly<Record<number, number>> = { 100000: 5 };
/** Of MiniSearch's at 100,000. */
const MOST_RESIDENT: Readonly<Record<number, number>> = { 100000: 0.25, 1000000: 0.625 };
const LEAST_SPEED = 0.5;
const COMPARED = sized(100_000, 50);
const ROUNDS = sized(15, 1);
const APPENDS = sized(30, 1);

interface Answers {
  readonly times: readonly number[];
  readonly resident: number;
}

const { values } = parseArgs({
  options: { long: { type: "boolean" }, json: { type: "boolean", default: false } },
});
const sizes = [sized(10_000, 20), COMPARED, ...(values.long ? [1_000_000] : [])];
const home = scratchFolder("bench");
const program = join(home, "index-process.mjs");

try {
  await build({
    entryPoints: ["bench/sessions/index-process.ts"],
    outfile: program,
    bundle: true,
    platform: "node",
    format: "esm",
    banner: {
      js: 'import { createRequire } from "node:module";\nconst require = createRequire(import.meta.url);',
    },
  });
  const queries: Row[] = [];
  const rebuilds: Row[] = [];
  const lags: Row[] = [];
  let mini: (Answers & { ms: number; events: number }) | undefined;
  for (const size of [...sizes].sort((a, b) => Number(b === COMPARED) - Number(a === COMPARED))) {
    const record = join(home, String(size));
    const { events, chunks } = await run<{ events: number; chunks: number }>(
      "furnish",
      record,
      size,
    );
    if (size === COMPARED) {
      mini = await run("miniSearch", record);
    }
    const rebuilt = await run<{
      ms: number;
      firstMs: number;
      firstChunks: number;
      resident: number;
    }>("rebuild", record);
    const warm = await run<Answers>("query", record);
    const [bare, cold]: number[][] = [[], []];
    for (let round = 0; round < ROUNDS; round++) {
      bare?.push(await bareStart());
      cold?.push((await timed([program, "once", record, String(round)])).ms);
    }
    const start = quantile(bare ?? [], 0.5);
    const p95 = quantile(warm.times, 0.95);
    queries.push({
      chunks,
      "bare start ms": round(start, 0),
      "warm p50 ms": round(quantile(warm.times, 0.5), 1),
      "warm p95 ms": round(p95, 1),
      "p95 / start": round(p95 / start, 2),
      "at most": MOST_STARTS_WARM[size] ?? "",
      "cold process / start": round(quantile(cold ?? [], 0.5) / start, 2),
      "at most ": MOST_STARTS_COLD[size] ?? "",
      "resident MB": round(warm.resident, 0),
      "of MiniSearch": round(warm.resident / (mini?.resident ?? Number.NaN), 2),
      "at most  ": MOST_RESIDENT[size] ?? "",
    });
    const perSecond = (events / rebuilt.ms) * 1000;
    const miniPerSecond = ((mini?.events ?? 0) / (mini?.ms ?? 0)) * 1000;
    rebuilds.push({
      events,
      chunks,
      "events a second": round(perSecond, 0),
      "of MiniSearch": round(perSecond / miniPerSecond, 2),
      "at least": LEAST_SPEED,
      "first answer ms": round(rebuilt.firstMs, 0),
      "of its chunks": round(rebuilt.firstChunks / chunks, 2),
      "resident MB": round(rebuilt.resident, 0),
      "events MB": round(folderSize(join(record, "events")) / 1e6, 1),
      "index MB": round(folderSize(join(record, "index")) / 1e6, 1),
    });
    lags.push({ chunks, ...(await measureLag(record)) });
    rmSync(record, { recursive: true });
  }
  const peer = {
    "chunks of": COMPARED,
    "p95 ms": round(quantile(mini?.times ?? [], 0.95), 1),
    "resident MB": round(mini?.resident ?? 0, 0),
    "events a second": round(((mini?.events ?? 0) / (mini?.ms ?? 0)) * 1000, 0),
  };
  print(
    [
      { title: "Searching", rows: queries },
      { title: "Making the index", rows: rebuilds },
      { title: "MiniSearch", rows: [peer] },
      {
        title: `From an acknowledged event to the answer that has it, ms over ${APPENDS}`,
        rows: lags,
      },
    ],
    values.json,
  );
} finally {
  removeFolder(home);
}

/** What a process measured. */
async function run<Measured>(...args: (string | number)[]): Promise<Measured> {
  const child = start(...args);
  const [measured] = await once(child, "message");
  child.disconnect();
  await once(child, "exit");
  return measured as Measured;
}

function start(...args: (string | number)[]): ChildProcess {
  return fork(program, args.map(String), {
    execArgv: ["--max-old-space-size=8192"],
    env: plainEnv(),
  });
}

async function measureLag(record: string): Promise<Row> {
  const store = jsonlEventStore({ folder: record, redactor: UNREDACTED, now: Date.now });
  const other = start("answer", record);
  await once(other, "message");
  const [here, there]: number[][] = [[], []];
  for (let turn = 0; turn < APPENDS; turn++) {
    const word = `needle${turn}`;
    await store.append([said(word)]);
    const acknowledged = performance.now();
    const { hits } = await store.search({ text: word, limit: 1 });
    here?.push(performance.now() - acknowledged);
    const asked = performance.now();
    other.send(word);
    const [found] = await once(other, "message");
    there?.push(performance.now() - asked);
    if (hits[0]?.text !== word || found !== word) {
      throw new Error(`${word} was not found.`);
    }
  }
  other.disconnect();
  return Object.fromEntries(
    Object.entries({ "same process": here ?? [], "another process": there ?? [] }).flatMap(
      ([name, times]) => [
        [`${name} p50`, round(quantile(times, 0.5), 1)],
        [`${name} p95`, round(quantile(times, 0.95), 1)],
      ],
    ),
  );
}

function said(text: string): EventDraft {
  return {
    session: "lag",
    agent: "bench",
    actor: { type: "human", id: "user" },
    kind: "message",
    content: { text },
  };
}
