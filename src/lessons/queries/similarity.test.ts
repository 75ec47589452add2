import { describe, expect, it } from "vitest";
import { toLine } from "../format/file-lines.ts";
import type { Lesson } from "../format/lesson.ts";
import { isLessonLine } from "../merge/versions.ts";
import { nearestLesson } from "./similarity.ts";

/** Pairs of notes (gap, lesson) within one topic, judged by hand. */
type Note = readonly [missing: string, lesson: string];

const THE_SAME: readonly (readonly [Note, Note])[] = [
  [
    [
      "No mention that amounts are stored in cents",
      "Store every amount as integer cents and format at the edge",
    ],
    [
      "Nobody mentioned amounts are stored in cents",
      "Amounts are integer cents; format them at the edge",
    ],
  ],
  [
    [
      "The retry_count limit for uploads was missing",
      "Uploads retry 3 times, then show the error to the user",
    ],
    [
      "Upload retryCount limit was missing from the task",
      "Retry uploads 3 times, then the user is shown the error",
    ],
  ],
  [
    ["테스트에서 어떤 데이터베이스를 쓰는지 말하지 않았다", "테스트는 항상 Postgres 15에서 돌린다"],
    ["어떤 데이터베이스로 테스트하는지 말이 없었다", "테스트는 언제나 Postgres 15에서 돌릴 것"],
  ],
  [
    ["업로드 재시도 횟수 제한이 빠져 있었다", "업로드는 세 번 재시도하고 그다음 오류를 보여 준다"],
    ["업로드의 재시도 횟수 제한이 빠졌다", "업로드는 세 번까지 재시도한 다음 오류를 보여 줄 것"],
  ],
  [
    ["没有提到金额以分为单位存储", "所有金额都用整数分存储，显示时再格式化"],
    ["没提到金额是以分为单位存储的", "金额一律用整数分存储，显示时才格式化"],
  ],
  [
    ["缺少上传重试次数的限制", "上传重试三次，之后把错误显示给用户"],
    ["上传的重试次数限制缺失", "上传失败重试三次，然后向用户显示错误"],
  ],
];

const DIFFERENT: readonly (readonly [Note, Note])[] = [
  [
    ["Session timeout was not specified", "Ask for the session timeout before writing login code"],
    ["Session storage was not specified", "Sessions are kept in Redis, never in process memory"],
  ],
  [
    [
      "It was not said which database the tests use",
      "Tests run against Postgres 15, never against SQLite",
    ],
    [
      "It was not said that tests run in parallel",
      "Give every test its own schema, since tests run in parallel",
    ],
  ],
  [
    ["테스트에서 어떤 데이터베이스를 쓰는지 말하지 않았다", "테스트는 항상 Postgres 15에서 돌린다"],
    ["테스트가 병렬로 도는지 말하지 않았다", "테스트는 병렬로 돌기 때문에 스키마를 따로 만든다"],
  ],
  [
    ["업로드 재시도 횟수 제한이 빠져 있었다", "업로드는 세 번 재시도하고 그다음 오류를 보여 준다"],
    ["업로드 크기 제한이 빠져 있었다", "업로드는 보내기 전에 20 MB를 넘는지 확인하고 거절한다"],
  ],
  [
    ["没有说测试使用哪个数据库", "测试必须在Postgres 15上运行，不能用SQLite"],
    ["没有说测试是并行运行的", "测试并行运行，所以每个测试要有自己的表结构"],
  ],
  [
    ["缺少上传重试次数的限制", "上传重试三次，之后把错误显示给用户"],
    ["缺少上传大小的限制", "超过20 MB的上传在发送之前就拒绝"],
  ],
];

const lesson = ([missing_context, text]: Note, id = "0123456789abcdef"): Lesson => ({
  id,
  type: "log",
  topic: "any",
  missing_context,
  lesson: text,
  meta: { created: "2026-01-01T00:00:00.000Z" },
});

const nearestOf = (draft: Lesson, candidates: readonly Lesson[]) =>
  nearestLesson(draft, candidates.map(toLine).filter(isLessonLine))?.version;

describe("nearestLesson", () => {
  it.each(THE_SAME)("finds that %j is said again by %j", (note, reworded) => {
    const known = lesson(note);
    expect(nearestOf(lesson(reworded), [known])).toBe(known);
    expect(nearestOf(known, [lesson(reworded)])).toBeDefined();
  });

  it.each(DIFFERENT)("tells %j from %j", (note, other) => {
    expect(nearestOf(lesson(other), [lesson(note)])).toBeUndefined();
  });

  it("tells every note from the notes of the other pairs", () => {
    const notes = THE_SAME.map(([note]) => lesson(note));
    for (const note of notes) {
      const others = notes.filter((other) => other !== note);
      expect(nearestOf(note, others)).toBeUndefined();
    }
  });

  it("chooses the nearest of several", () => {
    const [[exact, reworded]] = THE_SAME as [readonly [Note, Note]];
    const candidates = [lesson(reworded, "a"), lesson(exact, "b")];
    expect(nearestOf(lesson(exact), candidates)?.id).toBe("b");
  });

  it("finds nothing among no candidates, nor for a text without terms", () => {
    expect(nearestOf(lesson(["a gap", "a lesson"]), [])).toBeUndefined();
    expect(nearestOf(lesson(["—", "…"]), [lesson(["—", "…"])])).toBeUndefined();
  });
});
