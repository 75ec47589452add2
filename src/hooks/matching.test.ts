import { expect, it } from "vitest";
import { realisticMemory } from "../../test/support/realistic-memory.ts";
import { parseJournal } from "../memory/journal.ts";
import { Ledger } from "../memory/ledger.ts";
import { LedgerRanking } from "../memory/ledger-ranking.ts";
import { lessonsFor } from "./matching.ts";

const memory = realisticMemory(300);
const ledger = Ledger.from(
  parseJournal(Buffer.from(memory.lessons.map((lesson) => JSON.stringify(lesson)).join("\n"))),
);
const questions = memory.questions(60);

it("finds what ranking finds relevant, and nothing else", () => {
  const ranking = new LedgerRanking();
  for (const { text } of questions) {
    const relevant = ranking.rank(ledger, text).filter(({ relevance }) => relevance > 0.5);
    const ids = new Set(relevant.map(({ line }) => line.version.id));
    for (const line of lessonsFor(ledger, text)) expect(ids.has(line.version.id)).toBe(true);
  }
});

it("puts the lesson a question was made from among the first five, nine times in ten", () => {
  const found = questions.filter(({ text, gold }) => {
    return lessonsFor(ledger, text)
      .slice(0, 5)
      .some(({ version }) => version.id === gold.id);
  });
  expect(found.length).toBeGreaterThanOrEqual(0.9 * questions.length);
});

it.each(["", "thanks", "run the tests", "commit this and push", "the of and", "고마워요"])(
  "finds nothing for %j",
  (prompt) => {
    expect(lessonsFor(ledger, prompt)).toEqual([]);
  },
);
