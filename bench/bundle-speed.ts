/** How long bundles take while others write, beside a bare start of node in the same run. */
import { type ChildProcess, fork, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { removeFolder, scratchFolder } from "../test/support/scratch.ts";
import type { Built } from "./bundle-process.ts";
import type { Furnished } from "./furnish-record.ts";
import { bareStart, inTurn, plainEnv, timed } from "./side-by-side.ts";
import { sized } from "./sized.ts";
import { quantile, type Row, round, type Section } from "./table.ts";

/** Of real sessions, as many as there are. */
const REAL_CHUNKS = sized(8_500, 20);
/** What is asked: the 95th percentile as a share of a bare start, by the number of chunks. */
const MOST_STARTS_WARM: Readonly<Record<number, number>> = {
  [REAL_CHUNKS]: 0.5,
  10000: 0.5,
  100000: 1,
  1000000: 3.5,
};
const MOST_STARTS_COLD: Readonly<Record<number, number>> = { 100000: 8 };
/** The path of a cold bundle while the writers pause. */
const ALONE = "cold, alone";
/** And in ms, on any machine. */
const MOST_MS: Readonly<Record<string, number>> = { fast: 150, retrieval: 500, cold: 1_500 };
/** As the build has it. */
const BANNER = `import { createRequire } from "node:module";
const require = createRequire(import.meta.url);
const __filename = import.meta.filename;`;
const WRITERS = sized(4, 1);
/** Before, between and after what warm processes build. */
const BARE_STARTS = sized(30, 1);
const COLD_BUILDS = sized(200, 1);
const MEGABYTE = 1e6;

/** @param data a folder with real sessions, which are one session log more. */
export async function measureSpeed(sizes: readonly number[], data: string): Promise<Section> {
  const home = scratchFolder("bundles");
  try {
    const program = join(home, "bundle-process.mjs");
    const project = join(home, "project");
    mkdirSync(project);
    spawnSync("git", ["init", "-q", project]);
    await build({
      entryPoints: ["bench/bundle-process.ts"],
      outdir: home,
      outExtension: { ".js": ".mjs" },
      bundle: true,
      // As the product is built: a cold start reads it.
      minify: true,
      splitting: true,
      platform: "node",
      format: "esm",
      banner: { js: BANNER },
      alias: { "jsonc-parser": "jsonc-parser/lib/esm/main.js" },
    });
    const rows: Row[] = [];
    const measure = (size: number, data?: string) =>
      measureSize({ size, program, project, record: join(home, String(size)), data });
    rows.push(...(await measure(REAL_CHUNKS, data)));
    for (const size of sizes) rows.push(...(await measure(size)));
    return { title: `Building bundles, ms, with ${WRITERS} processes writing`, rows };
  } finally {
    removeFolder(home);
  }
}

interface Measured {
  readonly size: number;
  readonly program: string;
  readonly project: string;
  readonly record: string;
  readonly data: string | undefined;
}

async function measureSize({ size, program, project, record, data }: Measured): Promise<Row[]> {
  const real = data === undefined ? [] : [data];
  const { chunks, end } = await run<Furnished>([
    program,
    "furnish",
    project,
    record,
    "0",
    String(size),
    ...real,
  ]);
  const args = (work: string, number = 0) => [
    program,
    work,
    project,
    record,
    String(Date.parse(end)),
    String(number),
    ...real,
  ];
  await run(args("index"));
  const writers = Array.from({ length: WRITERS }, (_, at) => start(args("write", at)));
  try {
    await Promise.all(writers.map((writer) => once(writer, "message")));
    const bare = await bareStarts(writers, BARE_STARTS);
    const fast = await run<Built[]>(args("fast"));
    bare.push(...(await bareStarts(writers, BARE_STARTS)));
    const retrieval = await run<Built[]>(args("retrieval"));
    bare.push(...(await bareStarts(writers, BARE_STARTS)));
    const cold: Built[] = [];
    const coldAlone: Built[] = [];
    const coldBuild = async (round: number): Promise<Built> => {
      const { ms, printed } = await timed(args("once", round));
      return { ...(JSON.parse(printed) as Built), ms };
    };
    // To read real sessions takes longer than a bundle.
    for (let round = 0; data === undefined && round < COLD_BUILDS; round++) {
      bare.push(...(await bareStarts(writers, 1)));
      cold.push(await coldBuild(round));
      coldAlone.push(await whilePaused(writers, () => coldBuild(round)));
    }
    const startMs = quantile(bare, 0.5);
    const paths = { fast, retrieval, ...(data === undefined && { cold, [ALONE]: coldAlone }) };
    return Object.entries(paths).map(([path, built]) => ({
      chunks,
      texts: data === undefined ? "made up" : "real",
      path,
      ...times(built, startMs),
      "at most": mostStarts(path)[size] ?? "",
      "at most ms": MOST_MS[path] ?? "",
      ...work(built),
    }));
  } finally {
    await Promise.all(writers.map(stop));
    rmSync(record, { recursive: true });
  }
}

/** Beside a bare start on a quiet machine, only a bundle on a quiet machine says what it costs of itself. */
function mostStarts(path: string): Readonly<Record<number, number>> {
  if (path === "cold") return {};
  return path === ALONE ? MOST_STARTS_COLD : MOST_STARTS_WARM;
}

/** Under writers every start is slow, and every bundle looks quick beside it. */
function bareStarts(writers: readonly ChildProcess[], count: number): Promise<number[]> {
  return whilePaused(writers, async () =>
    (await inTurn(count, [bareStart], (start) => start())).flat(),
  );
}

async function whilePaused<Result>(
  writers: readonly ChildProcess[],
  work: () => Promise<Result>,
): Promise<Result> {
  for (const writer of writers) writer.kill("SIGSTOP");
  try {
    return await work();
  } finally {
    for (const writer of writers) writer.kill("SIGCONT");
  }
}

function times(built: readonly Built[], startMs: number): Row {
  const ms = built.map((one) => one.ms);
  const p95 = quantile(ms, 0.95);
  return {
    "bare start": round(startMs, 0),
    p50: round(quantile(ms, 0.5), 1),
    p95: round(p95, 1),
    "p50 / start": round(quantile(ms, 0.5) / startMs, 2),
    "p95 / start": round(p95 / startMs, 2),
  };
}

/** The most that a bundle took of each. */
function work(built: readonly Built[]): Row {
  const most = (of: (one: Built) => number) => Math.max(...built.map(of));
  return {
    "pool, most": most(({ pool }) => pool),
    "MB read, most": round(most(({ bytes }) => bytes) / MEGABYTE, 2),
    "reads, most": most(({ reads }) => reads),
    "tokens, most": most(({ tokens }) => tokens),
  };
}

/** What a process measured. */
async function run<Measured>(args: readonly string[]): Promise<Measured> {
  const child = start(args);
  const ended = once(child, "exit").then(([code, signal]) => {
    throw new Error(`${args[1]} ended without a figure: ${signal ?? code}`);
  });
  const [measured] = await Promise.race([once(child, "message"), ended]);
  ended.catch(() => undefined);
  await stop(child);
  return measured as Measured;
}

function start([program = "", ...args]: readonly string[]): ChildProcess {
  return fork(program, args, { execArgv: ["--max-old-space-size=8192"], env: plainEnv() });
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.connected) child.disconnect();
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
}
