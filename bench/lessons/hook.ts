/**
 * What a hook takes, as a whole process, beside a bare `node -e 0` and the hook of an earlier release, and the hook of the session log beside
 * that of the lessons at the end of a turn, and at the start of a session; and what the same events take as a call of the server:
 * `npm run bench:hook`. All of a row take turns.
 */
import { statSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { HOOK_TOOL } from "../../src/ground/clients/hook-call.ts";
import type { Lesson } from "../../src/lessons/format/lesson.ts";
import { storedBundle, VERSIONS, writeTexts } from "../../test/compat/archive.ts";
import { realisticMemory } from "../../test/support/realistic-memory.ts";
import { removeFolder, scratchFolder } from "../../test/support/scratch.ts";
import { runNode } from "../support/run-node.ts";
import { ours, withServer } from "../support/servers.ts";
import { sized } from "../support/sized.ts";
import { print, quantile, type Row, round } from "../support/table.ts";
import { startRows } from "./record-start.ts";
import { CALL_MS, sessionRow, CALLS as TOOL_CALLS } from "./session-with-hooks.ts";

const SIZES = sized([50, 1_000, 10_000], [50]);
const ROUNDS = sized(20, 1);
const CALLS = sized(200, 2);
/** Longer than a capture takes that finds nothing to do. */
const CAPTURE_MS = 800;
/** What a machine may have set for all of its nodes: each of them would begin with work that is not ours. */
const OF_THE_MACHINE = {
  NODE_EXTRA_CA_CERTS: undefined,
  NODE_OPTIONS: undefined,
  NODE_V8_COVERAGE: undefined,
};
const ENVIRONMENT = { ...process.env, ...OF_THE_MACHINE, SENTINEL_PROJECT: "" };

const { values } = parseArgs({ options: { json: { type: "boolean", default: false } } });
const earlier = VERSIONS.map((version) => ({ version, folder: scratchFolder() }));
for (const { version, folder } of earlier) {
  writeTexts(folder, storedBundle(version));
}
const hooks = [
  { name: "now", script: resolve("dist/server/hook.cjs") },
  ...earlier.map(({ version, folder }) => ({ name: version, script: join(folder, "hook.cjs") })),
];
const rows: Row[] = [];
for (const records of SIZES) {
  const memory = realisticMemory(records);
  const { folder } = ours(memory.lessons);
  const prompts = memory.questions(ROUNDS).map(({ text }) => text);
  const events: Record<string, (round: number) => object> = {
    SessionStart: () => ({ source: "startup" }),
    UserPromptSubmit: (count) => ({ prompt: prompts[count] }),
    "UserPromptSubmit, about nothing": () => ({ prompt: "Looks good, go on" }),
    "PreToolUse, Bash": (count) => ran(`git push origin branch-${count}`),
    "PostToolUseFailure, Bash": (count) => ({
      ...ran("git push"),
      error: `Exit code 1\nfatal: no branch-${count}`,
    }),
    "PostToolUse, Read": (count) => used("Read", `${folder}/src/file-${count}.ts`),
    "PostToolUse, Edit": (count) => used("Edit", `${folder}/src/file-${count}.ts`),
    Stop: () => ({ stop_hook_active: false }),
  };
  for (const [event, payload] of Object.entries(events)) {
    const floor: number[] = [];
    const times = hooks.map(() => [] as number[]);
    for (let count = 0; count < ROUNDS; count++) {
      floor.push(timed(["-e", "0"], ""));
      for (const [index, { name, script }] of hooks.entries()) {
        const session = {
          session_id: `${name} ${count}`,
          cwd: folder,
          hook_event_name: event.split(",")[0],
        };
        times[index]?.push(timed([script], JSON.stringify({ ...session, ...payload(count) })));
      }
    }
    const bare = quantile(floor, 0.5);
    const [ms = []] = times;
    rows.push({
      records,
      event,
      "p50 ms": round(quantile(ms, 0.5), 0),
      "p95 ms": round(quantile(ms, 0.95), 0),
      "node -e 0, p50 ms": round(bare, 0),
      "times a bare node": round(quantile(ms, 0.5) / bare, 2),
      ...Object.fromEntries(
        hooks
          .slice(1)
          .map(({ name }, index) => [
            `${name}, times`,
            round(quantile(times[index + 1] ?? [], 0.5) / bare, 2),
          ]),
      ),
    });
  }
  removeFolder(folder);
}
const sizes = hooks.map(
  ({ name, script }): Row => ({ "hook.cjs": name, bytes: statSync(script).size }),
);
for (const { folder } of earlier) {
  removeFolder(folder);
}
print(
  [
    { title: `A hook as a whole process, ${ROUNDS} rounds`, rows },
    { title: "Its file", rows: sizes },
    { title: `At the end of a turn, ${ROUNDS} rounds of each in turn`, rows: [await recordRow()] },
    { title: `The same events as calls of the server, ${CALLS} of each`, rows: await callRows() },
    {
      title: `A session of ${TOOL_CALLS} tool calls that take ${CALL_MS / 1_000} s each, with hooks by the server`,
      rows: await sessionRows(),
    },
    {
      title: "The session log's hook at the start of a session, each in turn",
      rows: await startRows(),
    },
  ],
  values.json,
);

/** The session log's hook starts a capture that goes on without it; each round waits until that is over. */
async function recordRow(): Promise<Row> {
  const { folder } = ours(realisticMemory(50).lessons);
  const [lessons, record] = [[] as number[], [] as number[]];
  for (let count = 0; count < ROUNDS; count++) {
    const payload = {
      session_id: `s${count}`,
      cwd: folder,
      hook_event_name: "Stop",
      stop_hook_active: false,
    };
    for (const [argument, times] of [
      ["hook", lessons],
      ["session-hook", record],
    ] as const) {
      const hook = [resolve("dist/server/hook.cjs"), argument];
      times.push(timed(hook, JSON.stringify(payload)));
      await sleep(CAPTURE_MS);
    }
  }
  removeFolder(folder);
  return {
    "lessons' hook, p50 ms": round(quantile(lessons, 0.5), 0),
    "record's hook, p50 ms": round(quantile(record, 0.5), 0),
    "record's, p95 ms": round(quantile(record, 0.95), 0),
    "times the lessons' hook": round(quantile(record, 0.5) / quantile(lessons, 0.5), 2),
  };
}

/** A twentieth of the lessons names a command. */
function withTriggers(lessons: readonly Lesson[]): Lesson[] {
  return lessons.map((lesson, index) =>
    index % 20 === 0
      ? { ...lesson, when: { commands: [`tool-${index} publish`], errors: [`E${index} refused`] } }
      : lesson,
  );
}

async function sessionRows(): Promise<Row[]> {
  const found: Row[] = [];
  for (const size of SIZES.slice(0, 2)) {
    found.push(
      await sessionRow(
        withTriggers(realisticMemory(size).lessons),
        (turn) => `tool-${turn * 20} publish`,
      ),
    );
  }
  return found;
}

/** The lesson that matches is new in each session. */
async function callRows(): Promise<Row[]> {
  const found: Row[] = [];
  for (const size of SIZES) {
    const memory = realisticMemory(size);
    const prompts = memory.questions(CALLS).map(({ text }) => text);
    const start = ours(withTriggers(memory.lessons));
    const { folder } = start;
    await withServer(start, async (server) => {
      const times: Record<string, number[]> = {};
      const floor: number[] = [];
      for (let count = 0; count < CALLS; count++) {
        const common = { session_id: `s${count}`, cwd: folder, tool_name: "Bash" };
        const events: Record<string, object> = {
          "PreToolUse, no lesson": {
            hook_event_name: "PreToolUse",
            "tool_input.command": `git push b-${count}`,
          },
          "PostToolUseFailure, no lesson": {
            hook_event_name: "PostToolUseFailure",
            error: `fatal: ${count}`,
          },
          UserPromptSubmit: {
            hook_event_name: "UserPromptSubmit",
            prompt: prompts[count % prompts.length],
          },
          "PreToolUse, a lesson": {
            hook_event_name: "PreToolUse",
            "tool_input.command": "tool-0 publish",
          },
        };
        for (const [name, event] of Object.entries(events)) {
          const began = performance.now();
          await server.call(HOOK_TOOL, { ...common, ...event });
          times[name] = [...(times[name] ?? []), performance.now() - began];
        }
        if (count % (CALLS / ROUNDS) === 0) {
          floor.push(timed(["-e", "0"], ""));
        }
      }
      const bare = quantile(floor, 0.5);
      for (const [event, ms] of Object.entries(times)) {
        found.push({
          lessons: size,
          event,
          "p50 ms": round(quantile(ms, 0.5), 2),
          "p95 ms": round(quantile(ms, 0.95), 2),
          "node -e 0, p50 ms": round(bare, 0),
          "times a bare node": round(quantile(ms, 0.5) / bare, 3),
        });
      }
    });
  }
  return found;
}

function ran(command: string): object {
  return { tool_name: "Bash", tool_input: { command } };
}

function used(tool_name: string, file_path: string): object {
  return { tool_name, tool_input: { file_path } };
}

function timed(args: readonly string[], input: string): number {
  const start = performance.now();
  runNode(args, { input, env: ENVIRONMENT });
  return performance.now() - start;
}
