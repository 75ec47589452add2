import { expect, it } from "vitest";
import { logLine, snapshotOf } from "../../../test/support/lines.ts";
import { type RealisticMemory, realisticMemory } from "../../../test/support/realistic-memory.ts";
import { lessonsFor } from "./prompt-lessons.ts";

const MOMENT = { now: "2026-11-25" };

const memory = realisticMemory(300);
const asLines = ({ lessons }: RealisticMemory) => lessons.map((lesson) => JSON.stringify(lesson));
const snapshot = snapshotOf(...asLines(memory));
const large = snapshotOf(...asLines(realisticMemory(1000, 3)));
const questions = memory.questions(60);

it.each([
  ["who wrote the deploy script", "The deploy script was written by the release team"],
  ["retryCount of the client pool", "The client pool reads retry_count once"],
  ["retrycount of the client pool", "The client pool reads retry-count once"],
  ["Hauptstraße fehlt im Adressbuch", "Im Adressbuch der HAUPTSTRASSE fehlt die Nummer"],
  ["ｔｅｎａｎｔ ability of the header", "Each header names a tenant and its abilities"],
  ["batteries in factories on the map", "A map shows the battery of each factory"],
  ["v1.2 of the (odd) c++ build [x]", "The odd build of v1.2 needs x"],
  ["결제 모듈은 시간 제한", "결제 모듈은 시간 제한이 10초다"],
])("finds the terms of %j in %j", (prompt, text) => {
  const alone = snapshotOf(logLine("other", text, 9, { lesson: "So it is" }));
  expect(lessonsFor(alone, prompt, MOMENT)).toHaveLength(1);
});

it("puts the lesson a question was made from among the first five, nine times in ten", () => {
  const found = questions.filter(({ text, gold }) => {
    return lessonsFor(snapshot, text, MOMENT)
      .slice(0, 5)
      .some(({ version }) => version.id === gold.id);
  });
  expect(found.length).toBeGreaterThanOrEqual(0.9 * questions.length);
});

it.each([
  "",
  "thanks",
  "run the tests",
  "commit this and push",
  "the of and",
  "고마워요",
  "Thanks, looks good, go on",
  "Write a haiku about autumn",
  "고마워, 계속 진행해 줘",
  "谢谢，继续",
])("finds nothing for %j", (prompt) => {
  expect(lessonsFor(snapshot, prompt, MOMENT)).toEqual([]);
  expect(lessonsFor(large, prompt, MOMENT)).toEqual([]);
});

it("doesn't take files of one kind for one subject", () => {
  const roles = logLine("auth", "Admins log in through Okta", 9, {
    lesson: "Group names decide the role, see docs/roles.md",
  });
  const named = "Move the rules of AGENTS.md, CLAUDE.md and GEMINI.md into one";
  expect(lessonsFor(snapshotOf(roles), named, MOMENT)).toEqual([]);
  expect(lessonsFor(snapshotOf(roles), "Add a role to docs/roles.md", MOMENT)).toHaveLength(1);
});

const PLAN = `## Context

The evaluation tab shows a flat list of all actions. When the list is empty, the panel is hidden, and nobody can tell whether the evaluation
failed or is still running in the background. A banner in the header tells of the number of files, but it is lost after a reload of the page,
because the state of the tab is kept in memory only.

## Approach

1. Add a handler to the service that returns the report with the status of every evaluation, and cache the report by its hash.
2. In the client, poll that handler while a job is running; stop when the status is final, or after ten failures in a row.
3. Group the rows by evaluator, sort them by severity, and show a badge with the count beside the title of each group.
4. Write the export of the table as Markdown, with a link to the file and the line for every row that has one.
5. Keep the settings of the table in the profile of the account, so that another browser shows the same columns in the same order.

## Files

- frontend/tabs/EvaluationTab.tsx: grouping, badges, the empty state of the panel
- server/routes/reports.ts: the handler, its schema, the limit of the payload and the timeout of the upstream
- server/jobs/queue.ts: the status of a job, retries, and the lock while a migration of the table runs`;

it.each([
  "Group the action summary by evaluator",
  "Show the evaluation report after a reload",
  "Export the table of issues as Markdown",
])(
  "finds nothing where only the plan below %j has words of a lesson, and the lesson that its title means",
  (title) => {
    const unrelated = `Implement the following plan:\n\n# Plan: ${title}\n\n${PLAN}`;
    expect(lessonsFor(snapshot, unrelated, MOMENT)).toEqual([]);
    expect(lessonsFor(large, unrelated, MOMENT)).toEqual([]);
    const found = questions.filter(({ text, gold }) => {
      const prompt = `Implement the following plan:\n\n# Plan: ${text}\n\n${PLAN}`;
      return lessonsFor(snapshot, prompt, MOMENT).some(({ version }) => version.id === gold.id);
    });
    expect(found.length).toBeGreaterThanOrEqual(0.8 * questions.length);
  },
);

it("does not take single characters or endings in common for a match", () => {
  const lessons = snapshotOf(
    logLine("支付", "微信支付的回调签名每年更换一次证书", 1, { lesson: "从平台接口下载并缓存" }),
    logLine("결제", "예약은 삼십 분 뒤에 풀려야 해요", 2, { lesson: "승인 전에 연장하나요" }),
  );
  for (const prompt of ["给每个人发一次微小的签到名单", "회의록을 정리해야 해요, 누가 맡나요"])
    expect(lessonsFor(lessons, prompt, MOMENT), prompt).toEqual([]);
  expect(lessonsFor(lessons, "微信支付的证书过期了，签名失败", MOMENT)).toHaveLength(1);
});
