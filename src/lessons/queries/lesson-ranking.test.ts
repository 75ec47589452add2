import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { realisticMemory } from "../../../test/support/realistic-memory.ts";
import { toLine } from "../format/file-lines.ts";
import type { Lesson } from "../format/lesson.ts";
import type { LessonLine } from "../merge/versions.ts";
import { clearMatches, rankLessons } from "./lesson-ranking.ts";

const MOMENT = { now: "2026-11-25" };

const DAY = 24 * 60 * 60 * 1000;
let made = 0;

/** A lesson of its own id, newer than those made before it. */
function lesson(fields: Partial<Lesson>): Lesson {
  made++;
  return {
    id: made.toString(16).padStart(16, "0"),
    type: "log",
    topic: "general",
    missing_context: "something was missing",
    lesson: "ask first",
    meta: { created: new Date(made * DAY).toISOString() },
    ...fields,
  };
}

function rank(lessons: readonly Lesson[], query: string) {
  return rankWith(lessons.map(toLine) as LessonLine[], query);
}

function rankWith(lines: readonly LessonLine[], query: string) {
  return rankLessons(lines, query, MOMENT).map(({ line, ...place }) => ({
    lesson: line.version,
    ...place,
  }));
}

const ids = (ranked: readonly { lesson: Lesson }[]) => ranked.map(({ lesson }) => lesson.id);

describe("the order", () => {
  it("puts matches first, then all others, newest first", () => {
    const [older, match, newer] = [
      lesson({}),
      lesson({ lesson: "rotate the signing key" }),
      lesson({}),
    ];
    const ranked = rank([older, match, newer], "signing keys");
    expect(ids(ranked)).toEqual(ids([match, newer, older].map((lesson) => ({ lesson }))));
    expect(ranked.map(({ relevance }) => relevance > 0)).toEqual([true, false, false]);
  });

  it.each(["", "  ", "what is it about", "—"])("is newest first for the query %j", (query) => {
    const lessons = [lesson({}), lesson({}), lesson({})];
    const ranked = rank(lessons, query);
    expect(ids(ranked)).toEqual(lessons.map(({ id }) => id).reverse());
    expect(ranked.every(({ relevance }) => relevance === 0)).toBe(true);
  });

  it("compares times as instants, and takes the last edit", () => {
    const early = lesson({ meta: { created: "2026-03-01T10:00:00+09:00" } });
    const late = lesson({ meta: { created: "2026-03-01T02:00:00Z" } });
    const edited = lesson({
      meta: { created: "2020-01-01T00:00:00Z", updated: "2026-03-02T00:00:00Z" },
    });
    const unreadable = lesson({ meta: { created: "yesterday" } });
    expect(ids(rank([unreadable, early, late, edited], ""))).toEqual([
      edited.id,
      late.id,
      early.id,
      unreadable.id,
    ]);
  });

  it("sets the newer of two equal matches first", () => {
    const [older, newer] = [lesson({ lesson: "rotate keys" }), lesson({ lesson: "rotate keys" })];
    expect(ids(rank([newer, older], "rotate keys"))).toEqual([newer.id, older.id]);
  });

  it("weighs the topic above the text", () => {
    const topic = lesson({ topic: "payments", lesson: "ask about the refunds first" });
    const text = lesson({ topic: "refunds", lesson: "ask about the payments first" });
    expect(ids(rank([topic, text], "payments"))[0]).toBe(topic.id);
  });

  it("puts a lesson that comes up before the best match, a principle that comes up behind it", () => {
    const match = lesson({ lesson: "answer a stripe webhook for disputes within five seconds" });
    const own = lesson({ lesson: "verify the signature first", when: { words: ["webhook"] } });
    const principle = lesson({
      type: "principle",
      lesson: "queue slow work in celery",
      when: { words: ["webhook"] },
    });
    const other = lesson({ lesson: "disputes have evidence" });
    const ranked = rank([other, match, own, principle], "handle a stripe webhook for disputes");
    expect(ids(ranked)).toEqual([own.id, match.id, principle.id, other.id]);
  });

  it("finds parts of identifiers, other spellings and other forms of a word", () => {
    const code = lesson({ lesson: "set MAX_RETRY_COUNT in uploadClient.ts" });
    const lessons = [lesson({}), code, lesson({})];
    for (const query of [
      "retry",
      "maxRetryCount",
      "upload clients",
      "retrying uploads",
      "ＵＰＬＯＡＤ",
    ]) {
      expect(ids(rank(lessons, query))[0], query).toBe(code.id);
    }
  });
});

describe("relevance", () => {
  const { lessons, questions } = realisticMemory(1000, 3);
  const lines = lessons.map(toLine) as LessonLine[];
  const isClear = (query: string) =>
    clearMatches(rankLessons(lines, query, MOMENT), query).length > 0;

  it("is a share: 1 for a lesson that holds all of a query, in any script and length, and never more", () => {
    const gaps = [
      "Refunds need approval",
      "카카오페이 결제는 하루가 지나면 부분 취소가 되지 않는다",
      "微信支付的回调签名必须用平台证书验证，不能用商户证书",
      "The thumbnail worker runs out of memory with HEIC pictures of more than forty megapixels on the arm64 machines",
    ];
    const mixed = [
      ...gaps.map((missing_context) => lesson({ missing_context })),
      ...lessons.slice(0, 100),
    ];
    for (const gap of [...gaps, "refunds"]) {
      const ranked = rank(mixed, gap);
      expect(ranked[0]?.relevance, gap).toBe(1);
      expect(ranked.every(({ relevance }) => relevance >= 0 && relevance <= 1)).toBe(true);
    }
    expect(rank(mixed, "refunds of the carousel")[0]?.relevance).toBeLessThan(0.6);
  });

  it("is clear for questions that the memory answers, and mostly also inside a longer prompt", () => {
    const chatter =
      "Good morning! Thanks for yesterday, the picnic by the lake was lovely. Now, please: ";
    const asked = questions(50).map(({ text }) => text);
    for (const text of asked) {
      expect(isClear(text), text).toBe(true);
    }
    expect(asked.filter((text) => isClear(chatter + text)).length).toBeGreaterThanOrEqual(45);
  });
});

it("does not depend on the order of the lessons", () => {
  const { lessons, questions } = realisticMemory(30, 9);
  const asked = questions(5).map(({ text }) => text);
  const shuffled = fc.shuffledSubarray([...lessons], { minLength: lessons.length });
  fc.assert(
    fc.property(shuffled, fc.constantFrom(...asked, ""), (permuted, query) => {
      expect(rank(permuted, query)).toEqual(rank(lessons, query));
    }),
    { numRuns: 30 },
  );
});
