/** The samples of the documents, as the product makes them: an answer and a file. */

import { budgetFor } from "../src/ground/clients/clients.ts";
import { defaultsOf } from "../src/ground/core/policy.ts";
import { withReceipt } from "../src/lessons/answers/answer.ts";
import { searchAnswer } from "../src/lessons/answers/search-answer.ts";
import type { Draft } from "../src/lessons/changes/draft.ts";
import { saveLesson } from "../src/lessons/changes/save.ts";
import { renderFile } from "../src/lessons/format/file-lines.ts";
import { prune } from "../src/lessons/merge/prune.ts";
import { WorkingCopy } from "../src/lessons/merge/versions.ts";
import { MEMORY_POLICY } from "../src/lessons/policy.ts";
import { rankLessons } from "../src/lessons/queries/lesson-ranking.ts";

const MOMENT = { now: "2026-11-25" };

const QUERY = "fix the payment module";
const TIMEOUT = log(
  "The payment provider times out after 10 s",
  "Set the timeout to 10 s and retry once",
);
const VAT = log(
  "VAT differs by country",
  "Check the tax table of the country before changing an amount",
  "Which countries does this change apply to?",
);
const REFUND = log("Refunds have their own API", "Use the refund API, never a negative charge");

/** A search in a memory of two records. */
export function answerSample(): string {
  const memory = twoRecords();
  const ranked = rankLessons(memory.lessons(), QUERY, MOMENT);
  const policy = defaultsOf(MEMORY_POLICY);
  const answer = searchAnswer(memory, ranked, { query: QUERY }, policy, budgetFor());
  const text = withReceipt(answer, []);
  return inBlock(
    `search_memory(${JSON.stringify({ query: QUERY }).replace(":", ": ")})\n\n${text}`,
  );
}

/** A file with one lesson. */
export function fileSample(): string {
  const memory = new WorkingCopy([]);
  save(memory, REFUND, "2026-11-21T09:12:45.658Z");
  return inBlock(renderFile(memory.lines(), []).toString("utf8").trimEnd());
}

function twoRecords(): WorkingCopy {
  const memory = new WorkingCopy([]);
  save(memory, VAT, "2026-11-20T10:31:08.114Z");
  save(memory, TIMEOUT, "2026-11-20T16:40:57.607Z");
  save(memory, VAT, "2026-11-21T08:02:57.622Z");
  return new WorkingCopy(prune(memory, Date.parse("2026-11-21T08:02:57.622Z")).snapshot.lines());
}

function save(memory: WorkingCopy, draft: Draft, time: string): void {
  saveLesson(memory, draft, {}, Date.parse(time));
}

function log(missing_context: string, lesson: string, ask_next_time?: string): Draft {
  return {
    type: "log",
    topic: "payment",
    missing_context,
    lesson,
    ...(ask_next_time && { ask_next_time }),
  };
}

function inBlock(text: string): string {
  return `\`\`\`\n${text}\n\`\`\``;
}
