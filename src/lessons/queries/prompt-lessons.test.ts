import { expect, it } from "vitest";
import { logLine, snapshotOf } from "../../../test/support/lines.ts";
import { type RealisticMemory, realisticMemory } from "../../../test/support/realistic-memory.ts";
import { lessonsFor } from "./lesson-ranking.ts";

const MOMENT = { now: "2026-11-25" };

const memory = realisticMemory(300);
const asLines = ({ lessons }: RealisticMemory) => lessons.map((lesson) => JSON.stringify(lesson));
const snapshot = snapshotOf(...asLines(memory));
const large = snapshotOf(...asLines(realisticMemory(1000, 3)));
const questions = memory.questions(60);
/** How a plan begins, before it comes to its subjects. */
const INTRODUCTION =
  "The tab shows a flat list. When it is empty, the panel is hidden, and nobody can tell whether the work failed or is still going on. A banner tells of it, but is lost after a reload of the page, because it is kept nowhere else.";

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

it.each(["", "run the tests", "the of and", "고마워, 계속 진행해 줘", "谢谢，继续"])(
  "finds nothing for %j",
  (prompt) => {
    expect(lessonsFor(snapshot, prompt, MOMENT)).toEqual([]);
    expect(lessonsFor(large, prompt, MOMENT)).toEqual([]);
  },
);

it("doesn't take files of one kind for one subject", () => {
  const roles = logLine("auth", "Admins log in through Okta", 9, {
    lesson: "Group names decide the role, see docs/roles.md",
  });
  const named = "Move the rules of AGENTS.md, CLAUDE.md and GEMINI.md into one";
  expect(lessonsFor(snapshotOf(roles), named, MOMENT)).toEqual([]);
  expect(lessonsFor(snapshotOf(roles), "Add a role to docs/roles.md", MOMENT)).toHaveLength(1);
});

it("finds nothing where only the plan below a title has words of lessons, and the lesson that its title means", () => {
  const planFor = (title: string, about: string) =>
    `Implement the following plan:\n\n# Plan: ${title}\n\n## Context\n\n${INTRODUCTION}\n\n${about}`;
  const about = questions.map(({ text }) => text).join("\n");
  const unrelated = planFor("Group the summary by evaluator", about);
  expect(lessonsFor(snapshot, unrelated, MOMENT), "300 lessons").toEqual([]);
  expect(lessonsFor(large, unrelated, MOMENT), "1,000 lessons").toEqual([]);
  const found = questions.filter(({ text, gold }) => {
    const meant = lessonsFor(snapshot, planFor(text, about), MOMENT);
    return meant.some(({ version }) => version.id === gold.id);
  });
  expect(found.length).toBeGreaterThanOrEqual(0.8 * questions.length);
});

it("does not take single characters or endings in common for a match", () => {
  const lessons = snapshotOf(
    logLine("支付", "微信支付的回调签名每年更换一次证书", 1, { lesson: "从平台接口下载并缓存" }),
    logLine("결제", "예약은 삼십 분 뒤에 풀려야 해요", 2, { lesson: "승인 전에 연장하나요" }),
  );
  for (const prompt of ["给每个人发一次微小的签到名单", "회의록을 정리해야 해요, 누가 맡나요"]) {
    expect(lessonsFor(lessons, prompt, MOMENT), prompt).toEqual([]);
  }
  expect(lessonsFor(lessons, "微信支付的证书过期了，签名失败", MOMENT)).toHaveLength(1);
});
