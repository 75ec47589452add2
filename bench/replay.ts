/**
 * Failures that come again in real sessions, played back in order of time: is the lesson of one given at a later call, or at the later
 * failure? `npm run bench:replay -- --data DIR [--hook] [--json]`. DIR, which is not part of this project, has
 * `calls-dev.jsonl.xz`, the calls of sessions, and `lessons-dev.json`, lessons with triggers that a reader wrote from the first failure.
 *
 * A lesson is written into a scratch project once the first session that met its failure has ended. Then every call is held against the
 * lessons so far: by the functions that hooks use, with `--hook` by the hook itself. Beside it, the commands as plain patterns over
 * the whole line. A lesson is false where the call did not fail as it says, unless a pipe hid that.
 */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import type { Lesson } from "../src/lessons/format/lesson.ts";
import { whenOf } from "../src/lessons/format/when.ts";
import { whenText } from "../src/lessons/format/when-text.ts";
import { triggerOf, workOn } from "../src/lessons/queries/matches-when.ts";
import { Project } from "../test/support/project.ts";
import { runProcess } from "../test/support/run-process.ts";
import { dataFolder } from "./data-folder.ts";
import { print, type Row, round } from "./table.ts";

interface Call {
  readonly set: string;
  /** Sessions in the order of their start. */
  readonly s: number;
  readonly id: string;
  readonly ts: string;
  readonly q: number;
  readonly tool: string;
  readonly c: string;
  /** The output of a failed call, and the line of it that says most. */
  readonly e?: string;
  readonly l?: string;
  /** Refused by the person, or a stale file. */
  readonly no?: unknown;
  /** A failure that a pipe hid. */
  readonly h?: unknown;
}

interface Known {
  readonly set: string;
  readonly code: string;
  readonly missing_context: string;
  readonly lesson: string;
  readonly commands: readonly string[];
  readonly errors: readonly string[];
}

/** Gives the codes of lessons. */
interface Matcher {
  learn(known: Known): Promise<void>;
  atCall(call: Call): Promise<readonly string[]>;
  atFailure(call: Call): Promise<readonly string[]>;
}

const HOOK = resolve("dist/server/hook.cjs");
const MOST_BYTES = 1e9;
const TODAY = "2026-11-25";

const options = {
  data: { type: "string" },
  hook: { type: "boolean", default: false },
  json: { type: "boolean", default: false },
} as const;
const { values } = parseArgs({ options });
const data = dataFolder(values.data, "bench:replay", "calls-dev.jsonl.xz");
const unpacked = execFileSync("xz", ["-dc", join(data, "calls-dev.jsonl.xz")], {
  maxBuffer: MOST_BYTES,
});
const calls: readonly Call[] = unpacked
  .toString("utf8")
  .trimEnd()
  .split("\n")
  .map((line) => JSON.parse(line));
const lessons: readonly Known[] = JSON.parse(readFileSync(join(data, "lessons-dev.json"), "utf8"));

const rows: Row[] = [];
const falseOnes: Row[] = [];
for (const set of new Set(lessons.map((known) => known.set))) {
  const project = await Project.make();
  const ours = values.hook ? hookOf(project) : functionsOn(project);
  for (const [name, matcher] of [
    ["here", ours],
    ["plain matching", plain()],
  ] as const) {
    const result = await play(set, matcher);
    rows.push({ set, matching: name, ...result.row });
    falseOnes.push(...result.false.map((row) => ({ matching: name, ...row })));
  }
  project.remove();
}
print(
  [
    { title: "Failures that came again, and their lessons", rows },
    { title: "Lessons that did not belong to the call", rows: falseOnes },
  ],
  values.json,
);

async function play(set: string, matcher: Matcher): Promise<{ row: Row; false: Row[] }> {
  const all = calls.filter((call) => call.set === set && ["Bash", "Skill"].includes(call.tool));
  const open = new Set(lessons.filter((known) => known.set === set));
  const learnt: Known[] = [];
  const counts = { repeats: 0, "with a command": 0, "met at the call": 0, "met at the failure": 0 };
  const wrong: Row[] = [];
  for (const session of [...new Set(all.map(({ s }) => s))].sort((a, b) => a - b)) {
    const own = all.filter(({ s }) => s === session);
    const given = new Set<string>();
    for (const call of own) {
      const right = learnt.filter((known) => isTold(known, call));
      const isRight = (code: string) => right.some((known) => known.code === code);
      const before = await matcher.atCall(call);
      const after = hasFailed(call) ? await matcher.atFailure(call) : [];
      for (const code of before) given.add(code);
      for (const [at, codes] of [
        ["call", call.h ? [] : before],
        ["failure", after],
      ] as const) {
        if (codes.length > 0 && !codes.some(isRight))
          wrong.push({ at, lesson: codes.join(), session, call: call.q, command: short(call.c) });
      }
      if (right.length === 0) continue;
      counts.repeats++;
      counts["with a command"] += Number(right.some(({ commands }) => commands.length > 0));
      counts["met at the call"] += Number(right.some(({ code }) => given.has(code)));
      counts["met at the failure"] += Number(after.some(isRight));
    }
    for (const known of open) {
      if (!own.some((call) => isTold(known, call))) continue;
      open.delete(known);
      learnt.push(known);
      await matcher.learn(known);
    }
  }
  const row = {
    calls: all.length,
    ...counts,
    "false per 100 calls": round((100 * wrong.length) / all.length, 2),
  };
  return { row, false: wrong };
}

function hasFailed({ e, no }: Call): boolean {
  return e !== undefined && !no;
}

/** Whether a call failed as a lesson says. */
function isTold({ errors }: Known, call: Call): boolean {
  return (
    hasFailed(call) && errors.some((error) => call.e?.includes(error) || call.l?.includes(error))
  );
}

/** The functions that hooks use, on what the project's file says. */
function functionsOn(project: Project): Matcher {
  let learnt: Lesson[] = [];
  const given = (call: Call, error: string | undefined) => {
    const command = call.tool === "Bash" ? call.c : undefined;
    const work = workOn({ command, error, now: TODAY });
    return learnt.flatMap((lesson) =>
      triggerOf(whenOf(lesson), work) ? codesIn(lesson.lesson) : [],
    );
  };
  return {
    async learn(known) {
      await write(known, project);
      learnt = JSON.parse((await project.run("export", "--json")).stdout);
    },
    atCall: async (call) => given(call, undefined),
    atFailure: async (call) => given(call, call.e),
  };
}

/** The hook as Claude Code runs it. */
function hookOf(project: Project): Matcher {
  const ask = async (call: Call, event: string, more: object) => {
    const input = {
      session_id: call.id,
      cwd: project.folder,
      hook_event_name: event,
      tool_name: call.tool,
      tool_input: call.tool === "Bash" ? { command: call.c } : { skill: call.c },
      tool_use_id: `${call.s}-${call.q}`,
      ...more,
    };
    const place = { ...project.place(), stdin: JSON.stringify(input) };
    return codesIn((await runProcess(process.execPath, [HOOK], place)).stdout);
  };
  return {
    learn: (known) => write(known, project),
    atCall: (call) => ask(call, "PreToolUse", {}),
    atFailure: (call) => ask(call, "PostToolUseFailure", { error: call.e, is_interrupt: false }),
  };
}

/** The words of a command at the start of a command or of a word, and a part of an error. */
function plain(): Matcher {
  const learnt: Known[] = [];
  const given = (isMet: (known: Known) => boolean) => learnt.filter(isMet).map(({ code }) => code);
  const escaped = (text: string) =>
    text
      .split(/\s+/)
      .map((word) => word.replaceAll(/[^\w]/g, "\\$&"))
      .join("\\s+");
  return {
    learn: async (known) => void learnt.push(known),
    atCall: async ({ c }) =>
      given(({ commands }) =>
        commands.some((command) => new RegExp(`(?:^|[;&|(]\\s*|\\s)${escaped(command)}`).test(c)),
      ),
    atFailure: async (call) => given((known) => isTold(known, call)),
  };
}

async function write(
  { code, missing_context, lesson, commands, errors }: Known,
  project: Project,
): Promise<void> {
  const texts = [
    "--topic",
    "known-failures",
    "--missing",
    missing_context,
    "--lesson",
    `${code}: ${lesson}`,
  ];
  const { exit, stderr } = await project.run(
    "add",
    ...texts,
    "--when",
    whenText({ commands, errors }),
  );
  if (exit !== 0) throw new Error(stderr);
}

function codesIn(text: string): string[] {
  return lessons.flatMap(({ code }) => (text.includes(code) ? [code] : []));
}

function short(command: string): string {
  return command.replaceAll(/\s+/g, " ").replaceAll("|", "¦").slice(0, 120);
}
