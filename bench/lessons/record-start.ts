/**
 * The session log's hook at the start of a session, as a whole process: with recording off, and on with session logs of different sizes. Events are
 * written in the form that a capture stores, spread over the days before today as in real sessions.
 */
import { appendFileSync, mkdirSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { updateBriefs } from "../../src/sessions/files/briefs.ts";
import { writeEventLine } from "../../src/sessions/files/event-line.ts";
import { withLogLock } from "../../src/sessions/files/log-lock.ts";
import type { EventDraft } from "../../src/sessions/kinds/event.ts";
import { type Prepared, prepare } from "../../src/sessions/storing/prepare.ts";
import { Project } from "../../test/support/project.ts";
import { manifestOf } from "../../test/support/recorded.ts";
import { removeFolder } from "../../test/support/scratch.ts";
import { UNREDACTED } from "../../test/support/unredacted.ts";
import { runNode } from "../support/run-node.ts";
import { sized } from "../support/sized.ts";
import { quantile, type Row, round } from "../support/table.ts";

const SIZES = sized([0, 1_000, 1_000_000], [0, 100]);
const ROUNDS = sized(40, 1);
const DAY_MS = 86_400_000;
/** The median of a team. */
const PER_DAY = 900;
const PER_SESSION = 130;

/** @returns a row for each size; the sizes take turns, so that what else the machine does meets all of them. */
export async function startRows(): Promise<Row[]> {
  const projects = [];
  for (const size of SIZES) {
    projects.push({ size, project: await recorded(size), times: [] as number[], told: 0 });
  }
  const off = { project: await Project.repository(), times: [] as number[] };
  const floor: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    floor.push(timed(["-e", "0"], "", off.project).ms);
    off.times.push(start(off.project).ms);
    for (const one of projects) {
      const { ms, length } = start(one.project);
      one.times.push(ms);
      one.told = length;
    }
  }
  const none = quantile(projects[0]?.times ?? [], 0.5);
  const rowOf = (name: string, times: readonly number[], told: number): Row => ({
    record: name,
    "p50 ms": round(quantile(times, 0.5), 1),
    "p95 ms": round(quantile(times, 0.95), 1),
    "times none": round(quantile(times, 0.5) / none, 2),
    "times a bare node": round(quantile(times, 0.5) / quantile(floor, 0.5), 2),
    "characters told": told,
  });
  const rows = [
    rowOf("off", off.times, 0),
    ...projects.map(({ size, times, told }) =>
      rowOf(`on, ${size.toLocaleString("en")} events`, times, told),
    ),
  ];
  for (const { project } of [...projects, off]) {
    removeFolder(project.home);
  }
  return rows;
}

function start(project: Project) {
  const payload = {
    session_id: "5e551011-0000-4000-8000-00000000000f",
    cwd: project.folder,
    source: "startup",
  };
  const input = JSON.stringify({ ...payload, hook_event_name: "SessionStart" });
  return timed([resolve("dist/server/hook.cjs"), "session-hook"], input, project);
}

function timed(
  args: readonly string[],
  input: string,
  project: Project,
): { ms: number; length: number } {
  const from = performance.now();
  const { length } = runNode(args, { input, env: project.env, cwd: project.folder });
  return { ms: performance.now() - from, length };
}

async function recorded(size: number): Promise<Project> {
  const project = await Project.repository();
  await project.run("sessions", "on");
  const folder = dirname(await manifestOf(project));
  const now = Date.now();
  const days = Math.ceil(size / PER_DAY);
  for (let day = days; day > 0; day--) {
    const count = Math.min(PER_DAY, size - (days - day) * PER_DAY);
    const batch = Array.from({ length: count }, (_, at) =>
      eventOf(day * PER_DAY + at, now - day * DAY_MS, count, at),
    );
    const name = new Date(now - day * DAY_MS).toISOString().slice(0, 10);
    const month = join(folder, "events", name.slice(0, 7));
    mkdirSync(month, { recursive: true, mode: 0o700 });
    // Events of one day may reach into the next; the file of a day only has to be large.
    appendFileSync(join(month, `${name}.jsonl`), `${batch.map(writeEventLine).join("\n")}\n`);
  }
  await withLogLock(folder, () => updateBriefs(folder, now));
  return project;
}

/** Sessions as they are: requests, replies, commands, edits, tasks. */
function eventOf(number: number, dayMs: number, count: number, at: number): Prepared {
  const session = `5e55${String(Math.floor(number / PER_SESSION)).padStart(4, "0")}-0000-4000-8000-000000000000`;
  const ts = new Date(
    Math.floor(dayMs / DAY_MS) * DAY_MS + Math.floor((at / count) * (DAY_MS - 1)),
  ).toISOString();
  const draft = {
    ts,
    session,
    agent: "claude-code",
    origin: `claude-code:${number}`,
    place: { branch: "main" },
  };
  return prepare({ ...draft, ...saidAt(number) }, UNREDACTED, dayMs);
}

function saidAt(number: number): Pick<EventDraft, "actor" | "kind" | "content"> {
  const tool = { type: "tool", id: "tool.Bash" } as const;
  const agent = { type: "agent", id: "claude-code" } as const;
  const text = `${number} `.repeat(60);
  switch (number % 26) {
    case 0:
      return {
        actor: { type: "human", id: "user" },
        kind: "message",
        content: { text: `Change the thing ${text}` },
      };
    case 1:
    case 14:
      return { actor: agent, kind: "message", content: { text: `I changed the thing ${text}` } };
    case 2:
      return {
        actor: agent,
        kind: "task_update",
        content: { task: `${number}`, title: `Change ${number}`, status: "open" },
      };
    case 3:
      return {
        actor: tool,
        kind: "tool_result",
        content: { tool: "Bash", text, command: `npm test -- ${number}` },
      };
    case 4:
      return {
        actor: tool,
        kind: "tool_result",
        content: { tool: "Bash", text, command: `npm run x${number}`, outcome: "failed" },
      };
    case 5:
    case 6:
      return {
        actor: tool,
        kind: "tool_result",
        content: { tool: "Edit", text, path: `src/file-${number % 40}.ts`, edits: true },
      };
    default:
      return number % 2 === 0
        ? {
            actor: agent,
            kind: "tool_call",
            content: { tool: "Read", path: `src/file-${number % 97}.ts` },
          }
        : {
            actor: tool,
            kind: "tool_result",
            content: { tool: "Read", text, path: `src/file-${number % 97}.ts` },
          };
  }
}
