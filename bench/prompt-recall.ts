/**
 * Whether the session log could add something at a prompt that is more often right than wrong: `npm run bench:prompt-recall -- --data DIR`.
 *
 * DIR is that of `npm run bench:sessions`: real sessions, and questions about them with their answers. At each question the best two hits of
 * `sessions search` would be shown, the passage of each that says most about it, 75 tokens. A hit is right where its answer stands in
 * what is shown. Which hits are shown, a floor decides: for each measure of a hit the lowest floor at which seven in ten are right on the
 * odd questions, with what that floor gives on the even ones, on which nothing was chosen. All questions have an answer in the log; most
 * prompts ask for none, so what is shown at real prompts is right less often.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { isEveryday } from "../src/ground/search/everyday.ts";
import { tokenize } from "../src/ground/search/tokenizer.ts";
import { dataFolder } from "./data-folder.ts";
import { passage } from "./passage.ts";
import { isAnswered, type Question } from "./questions.ts";
import { must, readWritten, recordSessions } from "./recorded-sessions.ts";
import { print, type Row, type Section } from "./table.ts";

const HITS = 2;
const TOKENS_OF_HIT = 75;
const WANTED = 0.7;
/** Fewer right hits than this are luck. */
const LEAST_RIGHT = 4;

/** What a floor can be put to: more is surer. */
const MEASURES = {
  "score of the hit": ({ score }) => score,
  "how far it is ahead of the third": ({ score, third }) => score / third,
  "share of the telling words in what is shown": ({ held }) => held,
  "score and words, multiplied": ({ score, held }) => score * held,
  "a message, by its score": ({ score, isMessage }) => (isMessage ? score : 0),
} satisfies Record<string, (shown: Shown) => number>;

interface Shown {
  readonly at: number;
  readonly score: number;
  /** The score of the third hit. */
  readonly third: number;
  readonly held: number;
  readonly isMessage: boolean;
  readonly isRight: boolean;
  /** Whether its answer stands in the whole of it, which nobody is shown. */
  readonly isRightWhole: boolean;
}

interface Hit {
  readonly score: number;
  readonly text: string;
  readonly event: { readonly kind: string };
}

const { values } = parseArgs({
  options: { data: { type: "string" }, json: { type: "boolean", default: false } },
});
const data = dataFolder(values.data, "bench:prompt-recall", "sessions and questions");
const file = join(data, "session-questions", "questions.json");
const questions: readonly Question[] = JSON.parse(readFileSync(file, "utf8")).questions;
const { sessions, cwd } = readWritten(data);
const project = await recordSessions(sessions, cwd);
const shown: Shown[] = [];
for (const question of questions) shown.push(...(await shownFor(question)));
project.remove();
const isOdd = ({ at }: Pick<Shown, "at">) => at % 2 === 1;
const [odd, even] = [shown.filter(isOdd), shown.filter((hit) => !isOdd(hit))];
const whole = shown.map((hit) => ({ ...hit, isRight: hit.isRightWhole }));
print(
  [
    section("the first two hits, without a floor", [
      { way: "what is shown of them", ...figures(odd, "odd"), ...figures(even, "even") },
      {
        way: "the whole of them",
        ...figures(whole.filter(isOdd), "odd"),
        ...figures(
          whole.filter((hit) => !isOdd(hit)),
          "even",
        ),
      },
    ]),
    floors(),
  ],
  values.json,
);

async function shownFor(question: Question): Promise<Shown[]> {
  const answer = await must(
    project,
    "sessions",
    "search",
    question.question,
    "--limit",
    "3",
    "--json",
  );
  const { hits }: { readonly hits: readonly Hit[] } = JSON.parse(answer);
  const terms = new Set(tokenize(question.question));
  const telling = [...terms].filter((term) => !isEveryday(term));
  return hits.slice(0, HITS).map(({ score, text, event }) => {
    const told = passage(text, terms, TOKENS_OF_HIT);
    const inIt = new Set(tokenize(told));
    return {
      at: Number(question.id.slice(1)),
      score,
      third: hits[2]?.score ?? 0,
      held: telling.filter((term) => inIt.has(term)).length / Math.max(1, telling.length),
      isMessage: event.kind === "message",
      isRight: isAnswered(question, told),
      isRightWhole: isAnswered(question, text),
    };
  });
}

function floors(): Section {
  const rows = Object.entries(MEASURES).map(([way, of]): Row => {
    const floor = odd
      .map(of)
      .sort((a, b) => a - b)
      .find((least) => isGood(odd.filter((hit) => of(hit) >= least)));
    const over = (hits: readonly Shown[]) =>
      hits.filter((hit) => floor !== undefined && of(hit) >= floor);
    return {
      way,
      "surest on the odd": surest(of),
      floor: floor?.toFixed(2) ?? "none",
      ...figures(over(odd), "odd"),
      ...figures(over(even), "even"),
    };
  });
  return section(
    `over the lowest floor at which ${WANTED * 100} % are right on the odd questions`,
    rows,
  );
}

/** The best share that any floor gives on the odd questions. */
function surest(of: (hit: Shown) => number): string {
  const all = odd.map((least) => odd.filter((hit) => of(hit) >= of(least)));
  const rightIn = (hits: readonly Shown[]) => hits.filter(({ isRight }) => isRight).length;
  const enough = all.filter((hits) => rightIn(hits) >= LEAST_RIGHT);
  const [best = []] = enough.sort((a, b) => rightIn(b) / b.length - rightIn(a) / a.length);
  return `${rightIn(best)} of ${best.length}`;
}

function isGood(hits: readonly Shown[]): boolean {
  const right = hits.filter(({ isRight }) => isRight).length;
  return right >= LEAST_RIGHT && right / hits.length >= WANTED;
}

function figures(hits: readonly Shown[], half: string): Omit<Row, "way"> {
  const asked = new Set(hits.map(({ at }) => at)).size;
  return {
    [`${half}: right of shown`]: `${hits.filter(({ isRight }) => isRight).length} of ${hits.length}`,
    [`${half}: questions`]: asked,
  };
}

function section(title: string, rows: readonly Row[]): Section {
  return { title, rows };
}
