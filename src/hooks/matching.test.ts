import { expect, it } from "vitest";
import { logLine } from "../../test/support/lines.ts";
import { realisticMemory } from "../../test/support/realistic-memory.ts";
import { parseJournal } from "../memory/journal.ts";
import { Ledger } from "../memory/ledger.ts";
import { LedgerRanking } from "../memory/ledger-ranking.ts";
import { tokenize } from "../memory/tokenizer.ts";
import type { LessonLine } from "../memory/versions.ts";
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
    const withEnough = relevant.filter(({ line }) => termsShared(text, line) >= 3);
    expect(idsOf(lessonsFor(ledger, text))).toEqual(idsOf(withEnough.map(({ line }) => line)));
  }
});

it.each([
  ["who wrote the deploy script", "The deploy script was written by the release team"],
  ["retryCount of the client pool", "The client pool reads retry_count once"],
  ["retrycount of the client pool", "The client pool reads retry-count once"],
  ["Hauptstraße fehlt im Adressbuch", "Im Adressbuch der HAUPTSTRASSE fehlt die Nummer"],
  ["ｔｅｎａｎｔ ability of the header", "Each header names a tenant and its abilities"],
  ["batteries in factories on the map", "A map shows the battery of each factory"],
  ["v1.2 of the (odd) c++ build [x]", "The odd build of v1.2 needs x"],
  ["결제 모듈은 시간 제한", "결제 모듈은 시간 제한이 10초다"],
])("finds the terms of %j in %j as ranking does", (prompt, text) => {
  const line = logLine("other", text, 9, { lesson: "So it is" });
  const alone = Ledger.from(parseJournal(Buffer.from(line)));
  expect(termsShared(prompt, alone.lessons()[0] as LessonLine)).toBeGreaterThanOrEqual(3);
  expect(lessonsFor(alone, prompt)).toHaveLength(1);
});

function termsShared(prompt: string, { version }: LessonLine): number {
  const { topic, missing_context, lesson, ask_next_time = "" } = version;
  const held = new Set(tokenize([topic, missing_context, lesson, ask_next_time].join("\n")));
  return new Set(tokenize(prompt).filter((term) => held.has(term))).size;
}

function idsOf(lines: readonly LessonLine[]): string[] {
  return lines.map(({ version }) => version.id).sort();
}

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
