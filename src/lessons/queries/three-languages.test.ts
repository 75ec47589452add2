/**
 * Thirty lessons of a bookshop in English, Korean and Chinese, with a question for each and requests that none answers. They were written before
 * the rules that they test.
 */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { logLine, snapshotOf } from "../../../test/support/lines.ts";
import { clearMatches, lessonsFor, rankLessons } from "./lesson-ranking.ts";

interface Asked {
  readonly topic: string;
  readonly missing_context: string;
  readonly lesson: string;
  readonly question: string;
}

const MOMENT = { now: "2026-11-25" };
const data: Record<
  string,
  { readonly lessons: readonly Asked[]; readonly nothing: readonly string[] }
> = JSON.parse(readFileSync("test/data/three-languages.json", "utf8"));

/** How many of thirty lessons a search shows in full and a prompt gets, with how many others each brings. */
function measure({ lessons, nothing }: (typeof data)[string]) {
  const snapshot = snapshotOf(
    ...lessons.map(({ topic, missing_context, lesson }) =>
      logLine(topic, missing_context, 9, { lesson }),
    ),
  );
  const all = snapshot.lessons();
  const inFull = (query: string) =>
    clearMatches(rankLessons(all, query, MOMENT), query).map(({ line }) => line.version.lesson);
  const atPrompt = (prompt: string) =>
    lessonsFor(snapshot, prompt, MOMENT).map(({ version }) => version.lesson);
  const count = (shown: (question: string) => readonly string[]) => {
    const right = lessons.filter(({ question, lesson }) => shown(question).includes(lesson)).length;
    const total = lessons.reduce((sum, { question }) => sum + shown(question).length, 0);
    return { right, others: total - right, wrong: nothing.filter((one) => shown(one).length > 0) };
  };
  return { inFull: count(inFull), atPrompt: count(atPrompt) };
}

describe.each(["en", "ko", "zh"])("lessons and questions in %s", (language) => {
  const { inFull, atPrompt } = measure(data[language] as (typeof data)[string]);

  it("a search shows most lessons that share words with it", () => {
    expect(inFull.right).toBeGreaterThanOrEqual(25);
  });

  it("a prompt gets most lessons that share words with it, and hardly any others", () => {
    expect(atPrompt.right).toBeGreaterThanOrEqual(25);
    expect(atPrompt.others).toBeLessThanOrEqual(6);
  });

  it("a request that no lesson answers shows none", () => {
    expect([inFull.wrong, atPrompt.wrong]).toEqual([[], []]);
  });
});
