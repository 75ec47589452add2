/**
 * What a week of work costs an agent, in tokens of the o200k vocabulary: `npm run bench:week -- --data DIR [--json]`.
 *
 * DIR/loop-dev.json, which is not part of this project, has `records` (each with a key), `tasks` in their order, each with the
 * keys of the lessons that are logged after it, and `queries` with the keys that answer them. Every task is a session of its
 * own: the list of tools, a search, the logs. The questions are asked twice: as they are, and with other words for the same things,
 * from `words` of a question or from `callers-words.json`, whose writer saw only the questions. Beside it, the same week for an agent that reads the plain file before each task,
 * and for the official memory server with its `read_graph`.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { digestText } from "../../src/lessons/answers/digest.ts";
import type { Server } from "../../test/support/server.ts";
import { dataFolder } from "../support/data-folder.ts";
import { bm25, Chunks } from "../support/plain-searches.ts";
import { memoryFile, ours, theOfficial, toEntity, withServer } from "../support/servers.ts";
import { print, quantile, round } from "../support/table.ts";
import { listCost, sessionStart, tokens } from "./costs.ts";

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
    /** Other words for the same things, as a caller adds them. */
    readonly words?: string;
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
const callersWords: readonly string[] = JSON.parse(
  readFileSync("bench/support/callers-words.json", "utf8"),
).week;
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
  for (const entry of week.records) {
    if (!taskLogs.has(entry.key)) {
      await server.ask("log_memory", textsOf(entry));
    }
  }
  const queries = [await askAll(server, false), await askAll(server, true)];
  return { mine, queries, session: sessionStart(start.folder) };
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
      rows: [...queries, askPlainly(false), askPlainly(true)],
    },
    { title: "The start of a session with them, in tokens", rows: [{ tokens: session }] },
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
    for (const key of logs) {
      costs.logs.push(await log(byKey.get(key) as Entry));
    }
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

/** The questions about a full memory: how many lessons that answer them are first and in full, and what an answer costs. */
async function askAll(server: Server, isWithWords: boolean) {
  const sizes: number[] = [];
  const outcomes: Outcome[] = [];
  for (const [at, asked] of week.queries.entries()) {
    const query = queryOf(asked, at, isWithWords);
    const answer = await server.ask("search_memory", { query });
    sizes.push(tokens(answer));
    const [matches = ""] = answer.split(/^Other lessons/m);
    const shown = [...matches.matchAll(/^#\d+ (?:.*\n)*?lesson: (.*)$/gm)].map(([, text]) => text);
    outcomes.push(outcomeOf(asked, shown as string[]));
  }
  return {
    way: isWithWords ? "search_memory, with the caller's words" : "search_memory",
    ...figuresOf(outcomes),
    "tokens, mean": round(mean(sizes), 0),
  };
}

/** The same questions, answered by a plain search with its first five hits. */
function askPlainly(isWithWords: boolean) {
  const texts = new Map(week.records.map((entry) => [plainText(entry), entry.lesson]));
  const search = bm25(new Chunks([...texts.keys()]));
  const outcomes = week.queries.map((asked, at) => {
    const found = search(queryOf(asked, at, isWithWords)).slice(0, 5);
    return outcomeOf(
      asked,
      found.map((text) => firstLine(texts.get(text) ?? "")),
    );
  });
  const way = isWithWords ? "BM25, five hits, with the caller's words" : "BM25, five hits";
  const size = tokens([...texts.keys()].join("\n")) / texts.size;
  return { way, ...figuresOf(outcomes), "tokens, mean": round(5 * size, 0) };
}

interface Outcome {
  readonly note: string;
  /** Absent if no lesson answers the question. */
  readonly isFirst?: boolean;
  readonly isShown?: boolean;
  readonly shown: number;
}

/** @param shown the first lines of the lessons that match, best first. */
function outcomeOf({ gold, note }: Week["queries"][number], shown: readonly string[]): Outcome {
  if (gold.length === 0) {
    return { note, shown: shown.length };
  }
  const answers = gold.map((key) => firstLine(byKey.get(key)?.lesson ?? ""));
  const isFirst = answers.includes(shown[0] ?? "");
  return {
    note,
    isFirst,
    isShown: answers.some((text) => shown.includes(text)),
    shown: shown.length,
  };
}

function figuresOf(outcomes: readonly Outcome[]) {
  const figures: Record<string, string> = {};
  const answered = outcomes.filter(({ isFirst }) => isFirst !== undefined);
  for (const note of ["all", ...new Set(answered.map((one) => one.note))]) {
    const asked = answered.filter((one) => note === "all" || one.note === note);
    const first = asked.filter(({ isFirst }) => isFirst).length;
    const shown = asked.filter(({ isShown }) => isShown).length;
    figures[`${note}: first / in full`] = `${first} / ${shown} of ${asked.length}`;
  }
  const unanswered = outcomes.filter(({ isFirst }) => isFirst === undefined);
  const wrong = unanswered.filter(({ shown }) => shown > 0).length;
  figures["no answer: shown anyway"] = `${wrong} of ${unanswered.length}`;
  return { ...figures, "lessons shown": round(mean(outcomes.map(({ shown }) => shown)), 1) };
}

function queryOf(asked: Week["queries"][number], at: number, isWithWords: boolean): string {
  const { query, words = callersWords[at] ?? "" } = asked;
  return isWithWords ? `${query} ${words}` : query;
}

function plainText({ topic, missing_context, lesson, ask_next_time }: Entry): string {
  return [topic, missing_context, lesson, ask_next_time ?? ""].join("\n");
}

function firstLine(text: string): string {
  return text.split("\n")[0] ?? "";
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
