/** Runs every bench on tiny data: benches that are only started by hand break unnoticed. */
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { writeBenchData } from "../support/bench-data.ts";
import { type Ended, runProcess } from "../support/run-process.ts";
import { removeFolder, scratchFolder } from "../support/scratch.ts";

const { scripts }: { readonly scripts: Readonly<Record<string, string>> } = JSON.parse(
  readFileSync("package.json", "utf8"),
);
const BENCHES = Object.entries(scripts).filter(([name]) => /^(?:bench(?::.+)?|soak)$/.test(name));
/** A script; the build before it has run. */
const START = /^(?:npm run build && )?tsx (bench\/\S+\.ts)$/;
const fileOf = (script: string) => START.exec(script)?.[1] ?? "";
/** The benches that `npm run bench` starts, which aren't run a second time, and the last title of each. */
const LAST_TITLES: Readonly<Record<string, string>> = {
  "bench/lessons/start.ts": "In the same rounds",
  "bench/lessons/answers.ts": "Size of an answer",
  "bench/lessons/write.ts": "One process, all calls at once",
  "bench/lessons/conflicts.ts": "Conflicts of two branches",
  "bench/lessons/tokens.ts": "Tokens of one task",
  "bench/lessons/hook.ts": "The session log's hook at the start",
  "bench/lessons/doctor.ts": "doctor, 10 lessons",
  "bench/sessions/events.ts": "On disk",
};
const TABLE = /^\| --- \|/m;
/** Only ends a hang. */
const DEADLINE_MS = 600_000;
const DATA = scratchFolder("bench-data");

/** The arguments of a bench, and a part of its tables that follows from the data. */
interface Run {
  readonly args?: readonly string[];
  readonly shows?: string;
}

const WITH_DATA = ["--data", DATA];
const PARAGRAPHS = ["--paragraphs", join(DATA, "paragraphs.json")];
const RUNS: Readonly<Record<string, Run>> = {
  "bench:daemon": { args: WITH_DATA, shows: "| on Postgres | 2 | 100 |" },
  "bench:recall": { args: [...WITH_DATA, ...PARAGRAPHS], shows: "| sentinel-memory | 2 | 100 |" },
  "bench:sessions": { args: WITH_DATA, shows: "| tasks open | 1 | 1 | 100 |" },
  "bench:week": { args: WITH_DATA, shows: "| 2 | 1 of 1 |" },
  soak: { args: ["--minutes", "0.1"] },
};
/** These also measure something without data. */
const WITHOUT_DATA = ["bench:daemon"];

beforeAll(() => writeBenchData(DATA));
afterAll(() => removeFolder(DATA));

it("the arguments are for scripts of the package", () => {
  expect(BENCHES.map(([name]) => name)).toEqual(expect.arrayContaining(Object.keys(RUNS)));
});

it("each script starts a file that exists", () => {
  for (const [name, script] of BENCHES) {
    expect(existsSync(fileOf(script)), name).toBe(true);
  }
});

it("bench runs one after the other, and each prints its tables", async () => {
  const { exit, stdout, stderr } = await start(scripts.bench ?? "", []);
  expect({ exit, stderr }).toMatchObject({ exit: 0 });
  for (const [file, title] of Object.entries(LAST_TITLES)) {
    expect(stdout, `${title} of ${file}`).toMatch(new RegExp(`^${title}.*\\n\\n\\|`, "m"));
  }
});

const alone = BENCHES.filter(
  ([name, script]) => name !== "bench" && LAST_TITLES[fileOf(script)] === undefined,
);
it.each(alone)("%s runs and prints its tables", async (name, script) => {
  const { args = [], shows = "" } = RUNS[name] ?? {};
  const ended = await start(script, args);
  expect(ended).toMatchObject({ exit: 0, stdout: expect.stringMatching(TABLE) });
  expect(ended.stdout).toContain(shows);
});

const needing = BENCHES.filter(
  ([name]) => RUNS[name]?.args?.includes("--data") && !WITHOUT_DATA.includes(name),
);
it.each(needing)("%s asks for its data in one line", async (name, script) => {
  const { exit, stdout, stderr } = await start(script, []);
  expect({ exit, stdout }).toEqual({ exit: 1, stdout: "" });
  expect(stderr).toMatch(new RegExp(`^.*npm run ${name} -- --data DIR\\n$`));
});

async function start(script: string, args: readonly string[]): Promise<Ended> {
  const env = { ...process.env, BENCH_TINY: "1" } as Record<string, string>;
  const place = { cwd: resolve("."), env, deadline: DEADLINE_MS };
  return runProcess(process.execPath, ["--import", "tsx", fileOf(script), ...args], place);
}
