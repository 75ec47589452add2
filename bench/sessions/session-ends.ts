/** How much "Where we stopped" says of what a reader of the session says it must. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { DAY_MS } from "../../src/ground/core/time.ts";
import { SHOWN } from "../../src/lessons/hooks/limits.ts";
import { whereWeStopped } from "../../src/sessions/resume/notes/notes.ts";
import type { Written } from "../support/recorded-sessions.ts";
import { type Row, round, type Section } from "../support/table.ts";
import { tellOf } from "./record-transcript.ts";

interface Moment {
  readonly id: string;
  readonly session: string;
  readonly cut_after_line: number;
  readonly branch: string;
  readonly request: string;
  readonly tasks_begun: readonly string[];
  readonly tasks_open: readonly string[];
  readonly files_changed_not_committed: readonly string[];
  readonly files_committed: readonly string[];
  readonly failing: string | null;
  readonly waiting_for_user: string | null;
}

/** As the policy has it where nobody says otherwise. */
const BUDGET = { ...SHOWN, tokens: 250 };
/** A request is told by its beginning. */
const BEGINNING = 60;

/** @param folder has `moments.json`. @param isEach whether to print the text where something is missing or wrong. */
export async function measureEnds(
  folder: string,
  sessions: readonly Written[],
  cwd: string,
  isEach: boolean,
): Promise<Section> {
  const { moments }: { moments: readonly Moment[] } = JSON.parse(
    readFileSync(join(folder, "moments.json"), "utf8"),
  );
  const counts = new Map<string, { listed: number; told: number }>();
  for (const moment of moments) {
    const lines = sessions.find(({ session }) => session === moment.session)?.lines ?? [];
    const text = await textAt(moment, lines.slice(0, moment.cut_after_line), cwd);
    const rows = text.split("\n");
    const uncommitted = rows.filter((row) => row.startsWith("changed, not committed")).join("\n");
    const tasks = rows.filter((row) => row.startsWith("task ")).join("\n");
    const waits = rows.filter((row) =>
      /^(the agent asks|plan not accepted|.*the agent asked)/.test(row),
    );
    const fails = rows.filter((row) => row.startsWith("not settled"));
    const count = (what: string, all: readonly boolean[]) => {
      const { listed, told } = counts.get(what) ?? { listed: 0, told: 0 };
      counts.set(what, { listed: listed + all.length, told: told + all.filter(Boolean).length });
      if (isEach && all.includes(false)) {
        console.log(`${moment.id}: ${what} lacks something\\n`, moment, text);
      }
    };
    count("the request", [flat(text).includes(flat(moment.request).slice(0, BEGINNING))]);
    count(
      "tasks begun",
      moment.tasks_begun.map((title) => tasks.includes(title)),
    );
    count(
      "tasks open",
      moment.tasks_open.map((title) => tasks.includes(title)),
    );
    count(
      "files changed and not committed",
      moment.files_changed_not_committed.map((file) => uncommitted.includes(file)),
    );
    count(
      "files committed, not among these",
      moment.files_committed.map((file) => !uncommitted.includes(file)),
    );
    count("what waits for the person", moment.waiting_for_user === null ? [] : [waits.length > 0]);
    count("the failure", moment.failing === null ? [] : [fails.length > 0]);
    count("no failure where there is none", moment.failing === null ? [fails.length === 0] : []);
  }
  const rows = [...counts].map(
    ([what, { listed, told }]): Row => ({
      what,
      listed,
      told,
      "%": round((100 * told) / listed, 1),
    }),
  );
  return {
    title: `Where we stopped, at ${moments.length} moments: told of what a reader lists. Goal: 90 %`,
    rows,
  };
}

function textAt(
  { session, branch }: Moment,
  lines: readonly string[],
  cwd: string,
): Promise<string> {
  const ended = Math.max(...lines.map((line) => Date.parse(JSON.parse(line).timestamp) || 0));
  const start = { session: "starts", branch, now: ended + DAY_MS / 24, command: "sentinel-memory" };
  return tellOf({ session, cwd, transcript: `${lines.join("\n")}\n` }, start.now, (recent) =>
    whereWeStopped(recent, start, BUDGET),
  );
}

const flat = (text: string): string => text.replaceAll(/[\s`*#]+/g, " ").trim();
