/**
 * Does a memory help your model, and in which form? Ten small repairs (tasks.mjs), each with a trap, in four arms:
 *   none      no memory
 *   start     what the hook gives at the start of a session, from a memory with all ten lessons
 *   action    what the hook gives when a file is about to be written, from the same memory
 *   shuffled  as start, from a memory that lacks the lesson of the task: does any text help?
 *
 *   node evaluate.mjs MODEL.mjs [--results results.jsonl] [--cap 400] [--repeats 1] [--arms none,start,action,shuffled]
 *
 * MODEL.mjs exports `async function model({ messages })`, as model-over-http.mjs does: it gets what was said so far, each with `role` and
 * `content`, and returns a move, one of { read: PATH }, { write: PATH, text: TEXT } and { answer: TEXT }. A hidden test then says whether the
 * repair works and whether the trap was avoided. Each run is a line of the results; what stands there is not run again, so the same call goes
 * on where one ended. `--cap` is the most calls of the model in all, also of runs that broke off: they cost you money or time.
 */
import { execFileSync, spawnSync } from "node:child_process";
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { TASKS } from "./tasks.mjs";

const CLI = fileURLToPath(new URL("../../dist/cli.mjs", import.meta.url));
const HOOK = fileURLToPath(new URL("../../dist/hook.cjs", import.meta.url));
const MOST_MOVES = 10;
const RULES =
  "You repair one file of a project. Answer with one JSON object and nothing else: " +
  '{"read": "PATH"}, {"write": "PATH", "text": "ALL OF THE FILE"}, or {"answer": "what you did"} when you are done.';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    results: { type: "string", default: "results.jsonl" },
    cap: { type: "string", default: "400" },
    repeats: { type: "string", default: "1" },
    arms: { type: "string", default: "none,start,action,shuffled" },
  },
});
if (positionals[0] === undefined) {
  console.error("Usage: node evaluate.mjs MODEL.mjs [--results FILE] [--cap CALLS] [--repeats N] [--arms LIST]");
  process.exit(2);
}
const { model } = await import(pathToFileURL(resolve(positionals[0])).href);
const done = existsSync(values.results)
  ? readFileSync(values.results, "utf8")
      .trim()
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line))
  : [];
let calls = done.reduce((sum, run) => sum + run.calls, 0);
const ended = () => done.filter((run) => run.brokeOff === undefined);
const memory = memoryOf(TASKS);

for (let repeat = 1; repeat <= Number(values.repeats); repeat++)
  for (const task of TASKS)
    for (const arm of values.arms.split(",")) {
      if (ended().some((run) => run.task === task.id && run.arm === arm && run.repeat === repeat)) continue;
      if (calls + MOST_MOVES > Number(values.cap)) {
        console.log(`Ended before ${values.cap} calls of the model. A higher --cap goes on from here.`);
        summarise();
        process.exit(0);
      }
      const before = calls;
      const note = (result) => {
        const run = { task: task.id, arm, repeat, calls: calls - before, ...result };
        done.push(run);
        appendFileSync(values.results, `${JSON.stringify(run)}\n`);
      };
      try {
        note(await repair(task, arm));
      } catch (error) {
        note({ brokeOff: String(error) });
        throw error;
      }
    }
summarise();

async function repair(task, arm) {
  const folder = mkdtempSync(join(tmpdir(), "evaluate-"));
  try {
    put(join(folder, task.path), task.text);
    mkdirSync(join(folder, ".context"));
    const lessons = arm === "shuffled" ? memoryOf(TASKS.filter(({ id }) => id !== task.id)) : memory;
    if (arm !== "none") copyFileSync(lessons, join(folder, ".context", "memory_log.jsonl"));
    const start =
      arm === "start" || arm === "shuffled"
        ? given(folder, { hook_event_name: "SessionStart", source: "startup" })
        : "";
    const messages = [{ role: "user", content: [RULES, start, task.ask].filter(Boolean).join("\n\n") }];
    for (let count = 1; count <= MOST_MOVES; count++) {
      calls++;
      const move = await model({ messages });
      messages.push({ role: "assistant", content: JSON.stringify(move) });
      if (move.answer !== undefined) break;
      messages.push({ role: "user", content: act(folder, move, arm) });
    }
    return grade(folder, task);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What a move gives. As in a real client, what a hook adds is read beside the result. */
function act(folder, { read, write, text }, arm) {
  const path = resolve(folder, read ?? write ?? "");
  if (relative(folder, path).startsWith("..")) return "That is outside of the project.";
  if (read !== undefined) return existsSync(path) ? readFileSync(path, "utf8") : "There is no such file.";
  if (write === undefined || typeof text !== "string") return `That is no move. ${RULES}`;
  const input = { hook_event_name: "PreToolUse", tool_name: "Write", tool_input: { file_path: path, content: text } };
  const added = arm === "action" ? given(folder, input) : "";
  put(path, text);
  return ["Written.", added].filter(Boolean).join("\n\n");
}

/** What the hook of the product adds. */
function given(folder, payload) {
  const input = JSON.stringify({ session_id: folder, cwd: folder, ...payload });
  const { stdout } = spawnSync(process.execPath, [HOOK], { input, cwd: folder, encoding: "utf8" });
  return stdout.trim() === "" ? "" : (JSON.parse(stdout).hookSpecificOutput?.additionalContext ?? "");
}

/** A memory file with the lessons of tasks, each for its file. */
function memoryOf(tasks) {
  const folder = mkdtempSync(join(tmpdir(), "evaluate-memory-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, ".context"));
  for (const { path, lesson } of tasks) {
    const texts = ["--topic", lesson.topic, "--missing", lesson.missing, "--lesson", lesson.lesson, "--path", path];
    execFileSync(process.execPath, [CLI, "--project", folder, "add", ...texts], { stdio: "ignore" });
  }
  return join(folder, ".context", "memory_log.jsonl");
}

function grade(folder, { path, works, trap }) {
  const test = `import test from "node:test";\nimport { ok } from "node:assert";\nimport * as module from "./${path}";
test("works", () => ok(${works}));\ntest("trap", () => ok(${trap}));\n`;
  put(join(folder, "grade.test.mjs"), test);
  const ran = spawnSync(process.execPath, ["--test-reporter=tap", "grade.test.mjs"], {
    cwd: folder,
    encoding: "utf8",
    timeout: 20_000,
  });
  return { works: /^ok \d+ - works/m.test(ran.stdout), avoided: /^ok \d+ - trap/m.test(ran.stdout) };
}

function put(path, text) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

function summarise() {
  console.log("| arm | runs | works | trap avoided | 95 % | calls a run |\n|---|---|---|---|---|---|");
  for (const arm of values.arms.split(",")) {
    const runs = ended().filter((run) => run.arm === arm);
    const avoided = runs.filter((run) => run.avoided).length;
    const works = runs.filter((run) => run.works).length;
    const each = runs.reduce((sum, run) => sum + run.calls, 0) / Math.max(1, runs.length);
    console.log(
      `| ${arm} | ${runs.length} | ${works} | ${avoided} | ${wilson(avoided, runs.length)} | ${each.toFixed(1)} |`,
    );
  }
}

/** The interval of a share, in percent. */
function wilson(count, of) {
  if (of === 0) return "";
  const middle = count / of + 1.92 / of;
  const half = 1.96 * Math.sqrt(((count / of) * (1 - count / of)) / of + 0.96 / of ** 2);
  return [middle - half, middle + half]
    .map((bound) => Math.max(0, (100 * bound) / (1 + 3.84 / of)).toFixed(0))
    .join(" to ");
}
