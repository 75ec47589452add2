/**
 * What the session log gives of real coding sessions: `npm run bench:sessions -- --data DIR [--each] [--json]`.
 *
 * DIR, which is not part of this project, has `claude-code-transcripts-*.tar.gz`, `coding-sessions-*.jsonl.gz` and
 * `session-questions/questions.json`: questions, each with `answer`, literals or `{regex}`, any of which must stand in a text. The sessions are
 * recorded as the past of a scratch project. Counted are the questions whose answer stands in what a search prints of its first five
 * hits, and in bundles. They're asked twice: as they are, and with other words for the same things, from `words` of a question or from
 * `callers-words.json`, whose writer saw only the questions. Beside it stand simpler searches over the same texts; in brackets what the product has more than they, with the
 * interval of 95 % (a bootstrap over the questions). The odd half is there to tune on, the even one to report. `moments.json` beside the
 * questions says where sessions stood, for "Where we stopped", and `decisions.json` which of what was asked and planned is a decision.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Project } from "../../test/support/project.ts";
import { pick, seeded } from "../../test/support/random.ts";
import { dataFolder } from "../support/data-folder.ts";
import {
  bm25,
  Chunks,
  miniSearch,
  type PlainSearch,
  packed,
  recency,
} from "../support/plain-searches.ts";
import { readWritten, recordSessions } from "../support/recorded-sessions.ts";
import { print, quantile, type Row, type Section } from "../support/table.ts";
import { isAnswered, type Question } from "./questions.ts";
import { measureDecisions } from "./session-decisions.ts";
import { measureEnds } from "./session-ends.ts";
import { runHere } from "./tools-in-process.ts";

/** Whether the answer stands there, for each measure. */
type Answered = readonly boolean[];

type Ways = Readonly<Record<string, readonly Answered[]>>;

const BUDGETS = [2_000, 4_000, 8_000];
const MEASURES = [
  "first five",
  ...BUDGETS.map((budget) => `in ${budget.toLocaleString("en")} tokens`),
];
const HITS = 5;
const SHOWN = 600;
const SAMPLES = 2_000;

const { values } = parseArgs({
  options: {
    data: { type: "string" },
    each: { type: "boolean" },
    json: { type: "boolean", default: false },
  },
});
const data = dataFolder(values.data, "bench:sessions", "sessions and questions");
const questions: readonly Question[] = JSON.parse(
  readFileSync(join(data, "session-questions", "questions.json"), "utf8"),
).questions;
const callersWords: Readonly<Record<string, string>> = JSON.parse(
  readFileSync("bench/support/callers-words.json", "utf8"),
).sessions;
const { sessions, cwd } = readWritten(data);
const project = await recordSessions(sessions, cwd);
// The commands run in this process, and find the session log by its environment.
Object.assign(process.env, project.env);
const ours = await askProduct(project, asAsked);
const oursWithWords = await askProduct(project, withWords);
const folder = join(data, "session-questions");
const decided = await measureDecisions(folder, project);
project.remove();
const texts = sessions.flatMap(({ lines }) => lines.flatMap(textsIn)).sort((a, b) => a.at - b.at);
const everything = new Chunks(texts.map(({ text }) => text));
const messages = new Chunks(texts.filter(({ isMessage }) => isMessage).map(({ text }) => text));
const ways = waysOf(ours, asAsked);
const waysWithWords = waysOf(oursWithWords, withWords);
const isEach = values.each ?? false;
print(
  [
    section("odd questions", ways, (number) => number % 2 === 1),
    section("even questions", ways, (number) => number % 2 === 0),
    section("all questions", ways, () => true),
    section("all questions, with the caller's words", waysWithWords, () => true),
    await measureEnds(folder, sessions, cwd, isEach),
    decided,
  ],
  values.json,
);
if (isEach) {
  for (const [at, { id, question }] of questions.entries()) {
    console.log(
      id,
      [...Object.values(ways), oursWithWords].map((of) => of[at]?.map(Number).join("")).join(" "),
      question,
    );
  }
}

function asAsked({ question }: Question): string {
  return question;
}

/** The question as a caller asks it that adds other words for the same things. */
function withWords({ id, question, words = callersWords[id] ?? "" }: Question): string {
  return `${question} ${words}`;
}

async function askProduct(
  project: Project,
  queryOf: (one: Question) => string,
): Promise<Answered[]> {
  const answered: Answered[] = [];
  for (const one of questions) {
    const query = queryOf(one);
    const run = (...args: readonly string[]) => runHere(project.folder, args, project.env);
    const shown = [await run("sessions", "search", query, "--limit", String(HITS))];
    for (const budget of BUDGETS) {
      shown.push(await run("context", query, "--max-tokens", String(budget)));
    }
    answered.push(shown.map((text) => isAnswered(one, text)));
  }
  return answered;
}

/** The product first, then simpler ways for the same queries. */
function waysOf(product: readonly Answered[], queryOf: (one: Question) => string): Ways {
  const plain = (chunks: Chunks, search: PlainSearch) => askPlain(chunks, search, queryOf);
  return {
    "sentinel-memory": product,
    "BM25 over messages": plain(messages, bm25(messages)),
    "BM25 over all text": plain(everything, bm25(everything)),
    "MiniSearch over messages, stemmed, without stop words": plain(messages, miniSearch(messages)),
    "MiniSearch over all text, stemmed, without stop words": plain(
      everything,
      miniSearch(everything),
    ),
    "the last messages": plain(messages, recency(messages)),
    "the last text": plain(everything, recency(everything)),
  };
}

function askPlain(
  chunks: Chunks,
  search: PlainSearch,
  queryOf: (one: Question) => string,
): Answered[] {
  return questions.map((one) => {
    const query = queryOf(one);
    const found = search(query);
    const shown = found.slice(0, HITS).map((text) => chunks.window(query, text, SHOWN));
    return [shown.join("\n"), ...BUDGETS.map((budget) => packed(found, budget))].map((text) =>
      isAnswered(one, text),
    );
  });
}

function section(title: string, ways: Ways, isOf: (number: number) => boolean): Section {
  const of = [...questions.keys()].filter((at) => isOf(Number(questions[at]?.id.slice(1))));
  const product = ways["sentinel-memory"];
  const rows = Object.entries(ways).map(([way, answered]): Row => {
    const cells = MEASURES.map((measure, m) => {
      const gains = of.map((at) => Number(product?.[at]?.[m]) - Number(answered[at]?.[m]));
      const count = of.filter((at) => answered[at]?.[m]).length;
      return [measure, answered === product ? count : `${count} (${interval(gains)})`];
    });
    return { way, ...Object.fromEntries(cells) };
  });
  return { title: `${of.length} ${title}: answered`, rows };
}

/** The sum of paired differences, with what it is in 95 % of samples of as many questions. */
function interval(gains: readonly number[]): string {
  const random = seeded("questions");
  const total = (all: readonly number[]) => all.reduce((sum, gain) => sum + gain, 0);
  const sums = Array.from({ length: SAMPLES }, () => total(gains.map(() => pick(random, gains))));
  return `${signed(total(gains))}, ${signed(quantile(sums, 0.025))} to ${signed(quantile(sums, 0.975))}`;
}

function signed(number: number): string {
  return number > 0 ? `+${number}` : String(number);
}

interface Text {
  /** In ms since 1970. */
  readonly at: number;
  readonly text: string;
  readonly isMessage: boolean;
}

interface Block {
  readonly type: string;
  readonly text?: string;
  readonly input?: unknown;
  readonly content?: string | readonly Block[];
}

/** What was said, called and answered in a line of a transcript. */
function textsIn(line: string): Text[] {
  const { type, isMeta, timestamp, message } = JSON.parse(line);
  if ((type !== "user" && type !== "assistant") || isMeta) {
    return [];
  }
  const { content }: { readonly content: string | readonly Block[] } = message;
  const blocks = typeof content === "string" ? [{ type: "text", text: content }] : content;
  return blocks.flatMap((block: Block) => {
    const text = block.text ?? valuesIn(block.input ?? block.content).join("\n");
    return { at: Date.parse(timestamp), text, isMessage: block.type === "text" };
  });
}

function valuesIn(value: unknown): string[] {
  if (typeof value !== "object" || value === null) {
    return value === undefined || value === null ? [] : [String(value)];
  }
  return Object.values(value).flatMap(valuesIn);
}
