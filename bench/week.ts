/**
 * What a week of work costs an agent, in tokens of the o200k vocabulary: `npm run bench:week -- --data DIR [--json]`.
 *
 * DIR/loop-dev.json, which is not part of this project, has `records` (each with a key), `tasks` in their order, each with the
 * keys of the lessons that are logged after it, and `queries` with the keys that answer them. Every task is a session of its
 * own: the list of tools, a search, the logs. Beside it, the same week for an agent that reads the plain file before each task,
 * and for the official memory server with its `read_graph`.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { digestText } from "../src/lessons/answers/digest.ts";
import type { Server } from "../test/support/server.ts";
import { listCost, sessionStart, tokens } from "./costs.ts";
import { dataFolder } from "./data-folder.ts";
import { memoryFile, ours, theOfficial, toEntity, withServer } from "./servers.ts";
import { print, quantile, round } from "./table.ts";

interface Entry {
  readonly key: string;
  readonly topic: string;
  readonly missing_context: string;
  readonly lesson: string;
  readonly ask_next_time?: string | null;
}

interface Week {
  readonly records: readonly Entry[];
  readonly tasks: readonly { readonly task: string; readonly logs: readonly string[] }[];
  readonly queries: readonly {
    readonly query: string;
    readonly gold: readonly string[];
    readonly note: string;
  }[];
}

interface Costs {
  /** Before the task: what is read or searched. */
  readonly searches: number[];
  /** After it: each log with its answer. */
  readonly logs: number[];
  /** Of each session: the list of tools and the instructions. */
  readonly fixed: number;
}

const { values } = parseArgs({
  options: { data: { type: "string" }, json: { type: "boolean", default: false } },
});
const data = dataFolder(values.data, "bench:week", "loop-dev.json");
const week: Week = JSON.parse(readFileSync(join(data, "loop-dev.json"), "utf8"));
const byKey = new Map(week.records.map((entry) => [entry.key, entry]));
const taskLogs = new Set(week.tasks.flatMap(({ logs }) => logs));

const files: number[] = [];
const start = ours();
const file = memoryFile(start.folder);
const { mine, queries, session } = await withServer(start, async (server) => {
  const mine = await play(
    server,
    (task) => server.ask("search_memory", { query: task }),
    logWith(server),
    () => {
      files.push(existsSync(file) ? tokens(readFileSync(file, "utf8")) : 0);
    },
  );
  // What nobody logged in a task came from teammates.
  for (const entry of week.records)
    if (!taskLogs.has(entry.key)) await server.ask("log_memory", textsOf(entry));
  return { mine, queries: await askAll(server), session: sessionStart(start.folder) };
});
const official = await withServer(theOfficial(), (server) => {
  const create = async (entry: Entry) => {
    const call = { entities: [{ ...toEntity(lessonOf(entry)), name: entry.key }] };
    return tokens(JSON.stringify(call)) + tokens(await server.ask("create_entities", call));
  };
  return play(server, () => server.ask("read_graph", {}), create);
});

print(
  [
    {
      title: `A week of ${week.tasks.length} tasks, in tokens`,
      rows: [
        rowOf("this memory", mine),
        {
          way: "reading the file",
          ...searchFigures(files),
          "a log": "",
          "tools and instructions": 0,
          week: sum(files),
        },
        rowOf("official server, read_graph", official),
      ],
    },
    {
      title: `With all ${week.records.length} lessons`,
      rows: [{ ...queries, "session start": session }],
    },
    { title: "The digest alone, without a server", rows: [digestAlone(1), digestAlone(5)] },
  ],
  values.json,
);

/** Plays all tasks in one process: how a session is cut changes no answer. */
async function play(
  server: Server,
  search: (task: string) => Promise<string>,
  log: (entry: Entry) => Promise<number>,
  beforeTask = () => {},
): Promise<Costs> {
  const costs: Costs = { searches: [], logs: [], fixed: await listCost(server) };
  for (const { task, logs } of week.tasks) {
    beforeTask();
    costs.searches.push(tokens(await search(task)));
    for (const key of logs) costs.logs.push(await log(byKey.get(key) as Entry));
  }
  return costs;
}

function logWith(server: Server) {
  return async (entry: Entry): Promise<number> => {
    const args = textsOf(entry);
    return tokens(JSON.stringify(args)) + tokens(await server.ask("log_memory", args));
  };
}

/** The digest of a memory that has as many lessons again as the week, so many times, spread evenly. */
function digestAlone(times: number) {
  const lessons = week.records.flatMap((entry) =>
    Array.from({ length: times }, (_, copy) => ({
      version: lessonOf(entry),
      reference: `${entry.key}.${copy}`,
    })),
  );
  const text = digestText(lessons);
  const asked = week.queries.filter(({ gold }) => gold.length > 0);
  const inSight = asked.filter(({ gold }) =>
    gold.some((key) => text.includes(`[${key}.${times - 1}]`)),
  ).length;
  return {
    lessons: lessons.length,
    "questions answered in sight": `${inSight} of ${asked.length}`,
    tokens: tokens(text),
  };
}

/** The questions about a full memory: what an answer costs, and whether its first session log is a right one. */
async function askAll(server: Server) {
  const sizes: number[] = [];
  const firsts: { readonly note: string; readonly isRight: boolean }[] = [];
  for (const { query, gold, note } of week.queries) {
    const answer = await server.ask("search_memory", { query });
    sizes.push(tokens(answer));
    const [above = ""] = answer.split(/^Other lessons/m);
    const [, first = ""] = /^#1 (?:.*\n)*?lesson: (.*)$/m.exec(above) ?? [];
    const isGold = gold.some((key) => byKey.get(key)?.lesson.split("\n")[0] === first);
    firsts.push({ note, isRight: gold.length === 0 ? first === "" : isGold });
  }
  const rightOf = (note: string) => {
    const asked = firsts.filter((each) => each.note === note);
    return `${asked.filter(({ isRight }) => isRight).length} of ${asked.length}`;
  };
  return {
    "a search, mean": round(mean(sizes), 0),
    ...Object.fromEntries(
      [...new Set(firsts.map(({ note }) => note))].map((note) => [`right: ${note}`, rightOf(note)]),
    ),
  };
}

function rowOf(way: string, { searches, logs, fixed }: Costs) {
  return {
    way,
    ...searchFigures(searches),
    "a log": round(mean(logs), 0),
    "tools and instructions": fixed,
    week: sum(searches) + sum(logs) + fixed * week.tasks.length,
  };
}

function searchFigures(searches: readonly number[]) {
  return {
    "before a task, mean": round(mean(searches), 0),
    p95: quantile(searches, 0.95),
    "all of the week": sum(searches),
  };
}

function textsOf({ topic, missing_context, lesson, ask_next_time }: Entry): Record<string, string> {
  return { topic, missing_context, lesson, ...(ask_next_time && { ask_next_time }) };
}

function lessonOf(entry: Entry) {
  return {
    id: entry.key,
    type: "log" as const,
    meta: { created: "" },
    ...textsOf(entry),
  } as Parameters<typeof toEntity>[0];
}

function mean(numbers: readonly number[]): number {
  return sum(numbers) / numbers.length;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
