/**
 * What a hook takes, as a whole process, beside a bare `node -e 0`, and the hook of the record beside that of the lessons at the end
 * of a turn, and at the start of a session: `npm run bench:hook`.
 */
import { spawnSync } from "node:child_process";
import { resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { realisticMemory } from "../test/support/realistic-memory.ts";
import { removeFolder } from "../test/support/scratch.ts";
import { startRows } from "./record-start.ts";
import { ours } from "./servers.ts";
import { print, quantile, type Row, round } from "./table.ts";

const SIZES = [50, 1000];
const ROUNDS = 20;
/** Longer than a capture takes that finds nothing to do. */
const CAPTURE_MS = 800;

const { values } = parseArgs({ options: { json: { type: "boolean", default: false } } });
const rows: Row[] = [];
for (const records of SIZES) {
  const memory = realisticMemory(records);
  const { folder } = ours(memory.lessons);
  const prompts = memory.questions(ROUNDS).map(({ text }) => text);
  const events: Record<string, (round: number) => object> = {
    SessionStart: () => ({ source: "startup" }),
    UserPromptSubmit: (count) => ({ prompt: prompts[count] }),
    "PostToolUse, Read": (count) => used("Read", `${folder}/src/file-${count}.ts`),
    "PostToolUse, Edit": (count) => used("Edit", `${folder}/src/file-${count}.ts`),
    Stop: () => ({ stop_hook_active: false }),
  };
  for (const [event, payload] of Object.entries(events)) {
    const [floor, times] = [[] as number[], [] as number[]];
    for (let count = 0; count < ROUNDS; count++) {
      floor.push(timed(["-e", "0"], ""));
      const input = { session_id: `s${count}`, cwd: folder, hook_event_name: event.split(",")[0], ...payload(count) };
      times.push(timed([resolve("dist/hook.cjs")], JSON.stringify(input)));
    }
    rows.push({
      records,
      event,
      "p50 ms": round(quantile(times, 0.5), 0),
      "p95 ms": round(quantile(times, 0.95), 0),
      "node -e 0, p50 ms": round(quantile(floor, 0.5), 0),
      "times a bare node": round(quantile(times, 0.5) / quantile(floor, 0.5), 2),
    });
  }
  removeFolder(folder);
}
print(
  [
    { title: `A hook as a whole process, ${ROUNDS} rounds`, rows },
    { title: `At the end of a turn, ${ROUNDS} rounds of each in turn`, rows: [await recordRow()] },
    { title: "The record's hook at the start of a session, each in turn", rows: await startRows() },
  ],
  values.json,
);

/** The record's hook starts a capture that goes on without it; each round waits until that is over. */
async function recordRow(): Promise<Row> {
  const { folder } = ours(realisticMemory(50).lessons);
  const [lessons, record] = [[] as number[], [] as number[]];
  for (let count = 0; count < ROUNDS; count++) {
    const payload = { session_id: `s${count}`, cwd: folder, hook_event_name: "Stop", stop_hook_active: false };
    for (const [hook, times] of [
      ["dist/hook.cjs", lessons],
      ["dist/record-hook.cjs", record],
    ] as const) {
      times.push(timed([resolve(hook)], JSON.stringify(payload)));
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

function used(tool_name: string, file_path: string): object {
  return { tool_name, tool_input: { file_path } };
}

function timed(args: readonly string[], input: string): number {
  const start = performance.now();
  spawnSync(process.execPath, args, { input, env: { ...process.env, SENTINEL_PROJECT: "" } });
  return performance.now() - start;
}
