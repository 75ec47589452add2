/**
 * Does a memory help your model, and in which form? Ten small repairs (tasks.mjs), each with a trap
 * that only a lesson of the project explains, among the lessons of 50 other tasks. The arms:
 *
 *   none      no memory
 *   start     the hook's text at the start of the session
 *   prompt    the hook's text at the user's request
 *   search    the agent searches the memory before the task
 *   action    the hook's text when the agent is about to write the file
 *   shuffled  as start, from a memory without the task's own lesson: does any text help?
 *   own       a first session repairs without memory, hears the failing check from the user and may
 *             log lessons; a second one gets a sibling of the task and only that memory
 *
 *   node evaluate.mjs MODEL.mjs [--arms none,search] [--tasks vat,slug] [--others 50]
 *                               [--no-paths] [--repeats 1] [--results results.jsonl] [--cap 400]
 *
 * MODEL.mjs exports `async function model({ messages })`, as model-over-http.mjs does. It gets the
 * conversation so far and returns a move: { read: PATH }, { write: PATH, text: TEXT },
 * { search: QUERY }, { log: LESSON } or { answer: TEXT }. A hidden test then checks whether the
 * repair works and whether it avoids the trap.
 *
 * `--others N` changes how many other lessons the memory has, and `--no-paths` removes the files
 * from the lessons that matter. Each run is a line of the results file, and a run it contains isn't
 * repeated, so the same command continues after an interruption. `--cap` limits the calls of the
 * model, including those of runs that failed, because they cost you money or time.
 */
import { spawnSync } from "node:child_process";
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { installMemory, memoryOf } from "./memory.mjs";
import { OTHER_LESSONS } from "./other-lessons.mjs";
import { MOST_MOVES, put, Session } from "./session.mjs";
import { TASKS } from "./tasks.mjs";

/** What the memory gives in each arm. */
const HELP = {
  none: {},
  start: { start: true },
  prompt: { prompt: true },
  search: { search: true },
  action: { action: true },
  shuffled: { start: true },
  own: { start: true, prompt: true, search: true, action: true },
};

const USAGE =
  "Usage: node evaluate.mjs MODEL.mjs [--arms LIST] [--tasks LIST] [--others N] [--no-paths] [--repeats N] [--results FILE] [--cap CALLS]";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    arms: { type: "string", default: "none,start,prompt,search,action,shuffled,own" },
    tasks: { type: "string", default: TASKS.map(({ id }) => id).join(",") },
    others: { type: "string", default: String(OTHER_LESSONS.length) },
    "no-paths": { type: "boolean", default: false },
    repeats: { type: "string", default: "1" },
    results: { type: "string", default: "results.jsonl" },
    cap: { type: "string", default: "400" },
  },
});
const arms = values.arms.split(",");
const tasks = values.tasks.split(",");
const unknownArms = arms.filter((arm) => !(arm in HELP));
const unknownTasks = tasks.filter((id) => !TASKS.some((task) => task.id === id));
if (positionals[0] === undefined) {
  fail(USAGE);
}
if (unknownArms.length > 0) {
  fail(`Unknown arm: ${unknownArms.join(", ")}\n${USAGE}`);
}
if (unknownTasks.length > 0) {
  fail(`Unknown task: ${unknownTasks.join(", ")}\n${USAGE}`);
}

const { model } = await import(pathToFileURL(resolve(positionals[0])).href);
const setting = { others: Number(values.others), paths: !values["no-paths"] };
const runs = readRuns(values.results);
/** Calls of the model in all runs, those in the results file included. */
let calls = runs.reduce((sum, run) => sum + run.calls, 0);
const fullMemory = memoryFor(TASKS);

for (let repeat = 1; repeat <= Number(values.repeats); repeat++) {
  for (const task of TASKS.filter(({ id }) => tasks.includes(id))) {
    for (const arm of arms) {
      await runOnce({ task: task.id, arm, repeat, ...setting }, task);
    }
  }
}
summarise();

function fail(message) {
  console.error(message);
  process.exit(2);
}

/** Runs one task in one arm, unless the results contain it, and adds it to the results. */
async function runOnce(key, task) {
  if (runs.some((run) => isFinished(run) && isSame(run, key))) {
    return;
  }
  const sessions = key.arm === "own" ? 3 : 1;
  if (calls + sessions * MOST_MOVES > Number(values.cap)) {
    console.log(`Stopped before ${values.cap} calls of the model. A higher --cap continues here.`);
    summarise();
    process.exit(0);
  }
  const before = calls;
  const note = (result) => {
    const run = { ...key, calls: calls - before, ...result };
    runs.push(run);
    appendFileSync(values.results, `${JSON.stringify(run)}\n`);
  };
  try {
    note(await inScratchFolder((folder) => repair(folder, task, key.arm)));
  } catch (error) {
    note({ failed: String(error) });
    throw error;
  }
}

async function repair(folder, task, arm) {
  if (arm === "own") {
    return repairFromOwnMemory(folder, task);
  }
  if (arm === "shuffled") {
    installMemory(memoryFor(TASKS.filter((other) => other !== task)), folder);
  } else if (arm !== "none") {
    installMemory(fullMemory, folder);
  }
  put(join(folder, task.path), task.text);
  await new Session(folder, HELP[arm], askModel).say(task.ask);
  return grade(folder, task);
}

/** Two sessions: one that may learn from the user's complaint, and one that has only its lessons. */
async function repairFromOwnMemory(folder, task) {
  put(join(folder, task.path), task.text);
  const first = new Session(folder, { log: true }, askModel);
  await first.say(task.ask);
  const firstTry = grade(folder, task);
  if (!firstTry.avoided) {
    await first.say(task.complaint);
  }
  put(join(folder, task.sibling.path), task.sibling.text);
  await new Session(folder, HELP.own, askModel).say(task.sibling.ask);
  const logged = existsSync(join(folder, ".context", "memory_log.jsonl"));
  return { ...grade(folder, task.sibling), firstAvoided: firstTry.avoided, logged };
}

function askModel(conversation) {
  calls++;
  return model(conversation);
}

/** A memory with the lessons of these tasks among the other lessons. */
function memoryFor(tasks) {
  const own = tasks.map(({ path, lesson }) => (setting.paths ? { ...lesson, path } : lesson));
  return memoryOf([...OTHER_LESSONS.slice(0, setting.others), ...own]);
}

function grade(folder, { path, works, trap }) {
  const test = `import test from "node:test";
import { ok } from "node:assert";
import * as module from "./${path}";
test("works", () => ok(${works}));
test("trap", () => ok(${trap}));
`;
  put(join(folder, "grade.test.mjs"), test);
  const { stdout } = spawnSync(process.execPath, ["--test-reporter=tap", "grade.test.mjs"], {
    cwd: folder,
    encoding: "utf8",
    timeout: 20_000,
  });
  rmSync(join(folder, "grade.test.mjs"));
  return { works: /^ok \d+ - works/m.test(stdout), avoided: /^ok \d+ - trap/m.test(stdout) };
}

async function inScratchFolder(use) {
  const folder = mkdtempSync(join(tmpdir(), "evaluate-"));
  try {
    return await use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function readRuns(file) {
  if (!existsSync(file)) {
    return [];
  }
  const lines = readFileSync(file, "utf8").split("\n").filter(Boolean);
  return lines.map((line) => JSON.parse(line));
}

function isFinished(run) {
  return run.failed === undefined;
}

function isSame(run, key) {
  return Object.entries(key).every(([name, value]) => run[name] === value);
}

function summarise() {
  const rows = arms.map((arm) => {
    const finished = runs.filter((run) => isFinished(run) && isSame(run, { arm, ...setting }));
    const works = finished.filter((run) => run.works).length;
    const avoided = finished.filter((run) => run.avoided).length;
    const used = finished.reduce((sum, run) => sum + run.calls, 0);
    const each = (used / Math.max(1, finished.length)).toFixed(1);
    const interval = wilson(avoided, finished.length);
    return `| ${arm} | ${finished.length} | ${works} | ${avoided} | ${interval} | ${each} |`;
  });
  const paths = setting.paths ? "name their file" : "don't name their file";
  console.log(`${TASKS.length} lessons that matter (they ${paths}), ${setting.others} others\n`);
  console.log("| arm | runs | works | trap avoided | 95 % | calls a run |");
  console.log("|---|---|---|---|---|---|");
  console.log(rows.join("\n"));
}

/** Wilson's 95 % interval of a share, in percent. */
function wilson(count, total) {
  if (total === 0) {
    return "";
  }
  const z = 1.96;
  const share = count / total;
  const middle = share + z ** 2 / (2 * total);
  const half = z * Math.sqrt((share * (1 - share)) / total + z ** 2 / (4 * total ** 2));
  const scale = 1 + z ** 2 / total;
  const percent = (bound) => (100 * Math.max(0, bound / scale)).toFixed(0);
  return `${percent(middle - half)} to ${percent(middle + half)}`;
}
