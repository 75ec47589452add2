/**
 * A hook answers a prompt with what it keeps of the memory for that one prompt; it has to be what the full ranking gives, in its order.
 * The words are chosen so that they meet in other spellings: endings, irregular forms, widths, joints of identifiers, escapes.
 */
import fc from "fast-check";
import { expect, it } from "vitest";
import type { Snapshot } from "../../src/lessons/merge/versions.ts";
import {
  lessonsFor,
  mayMatch,
  mostImportantFirst,
  rankLessons,
} from "../../src/lessons/queries/lesson-ranking.ts";
import { comingUp, workOn } from "../../src/lessons/queries/matches-when.ts";
import { logLine, snapshotOf } from "../support/lines.ts";
import { realisticMemory } from "../support/realistic-memory.ts";

const MOMENT = { now: "2026-11-25" };

const WORDS = [
  ..."the run tests thanks please 3 of 키 키를 이 연결 연결을 데이터베이스 데이터베이스에서 결제 해줘 고마워 的 连接 连接池 池 谢谢 测试".split(
    " ",
  ),
  ..."cache caches caching wrote write indices index Straße STRASSE ｃａｃｈｅ retryCount retry_count RETRY-COUNT parseHTTP v1.2".split(
    " ",
  ),
  ...'src/limits.json limits.json プール ﾌﾟｰﾙ é é 👍 \\ " \t \n \0 \u2028 <tag> --flag'.split(" "),
];
const words = (maxLength: number) =>
  fc
    .array(fc.constantFrom(...WORDS), { maxLength })
    .chain((chosen) => fc.constantFrom(" ", "\n", "").map((gap) => chosen.join(gap)));
const field = fc.oneof(
  { weight: 4, arbitrary: words(8) },
  { weight: 1, arbitrary: fc.string({ unit: "grapheme" }) },
);
const lesson = fc.record({
  topic: words(2),
  missing: field,
  lesson: field,
  ask_next_time: fc.option(field, { nil: undefined }),
});
const when = fc.option(
  fc.record({ words: fc.array(fc.constantFrom(...WORDS), { maxLength: 2 }) }),
  { nil: undefined },
);
const memory = fc.array(fc.tuple(lesson, when), { maxLength: 12 }).map((all) =>
  snapshotOf(
    ...all.map(([{ topic, missing, ...more }, when], day) => {
      const given = Object.entries({ ...more, when }).filter(([, value]) => value !== undefined);
      return logLine(topic, missing, day + 1, Object.fromEntries(given));
    }),
  ),
);

it("gives a prompt what the full ranking gives it, in its order", () => {
  fc.assert(
    fc.property(memory, field, (snapshot, prompt) => {
      expect(lessonsFor(snapshot, prompt, MOMENT)).toEqual(byFullRanking(snapshot, prompt));
    }),
  );
});

it("matches no lesson to a prompt that is said to match none", () => {
  fc.assert(
    fc.property(memory, words(3), (snapshot, prompt) => {
      fc.pre(!mayMatch(prompt));
      expect(lessonsFor(snapshot, prompt, MOMENT)).toEqual(meant(snapshot, prompt));
    }),
  );
});

it("does so in a memory of hundreds, asked once or again and again", () => {
  const { lessons, questions } = realisticMemory(300);
  const read = () => snapshotOf(...lessons.map((each) => JSON.stringify(each)));
  const kept = read();
  for (const { text } of questions(12)) {
    for (const snapshot of [read(), kept]) {
      expect(lessonsFor(snapshot, text, MOMENT)).toEqual(byFullRanking(snapshot, text));
    }
  }
});

/** What a hook would say if it ranked as a search does: with the words of all lessons. */
function byFullRanking(snapshot: Snapshot, prompt: string) {
  const ranked = mayMatch(prompt)
    ? rankLessons(snapshot.lessons(), prompt.slice(0, 250), MOMENT)
    : [];
  const sharing = ranked.filter(({ sharedWords }) => sharedWords >= 2);
  const best = Math.max(...sharing.map(({ relevance }) => relevance));
  const alike = sharing
    .filter(({ relevance }) => relevance >= Math.max(0.3, 0.4 * best))
    .map(({ line }) => line);
  return [...new Set([...meant(snapshot, prompt), ...alike])];
}

function meant(snapshot: Snapshot, prompt: string) {
  return comingUp(snapshot.lessons(), workOn({ ...MOMENT, prompt })).sort(mostImportantFirst);
}
