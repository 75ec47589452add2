import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import {
  instantOf,
  lessonId,
  lineDigest,
  OLDEST,
  readVersion,
  timesMet,
  type Version,
  writeVersion,
} from "./lesson.ts";

const LINE =
  '{"id":"a1","type":"log","topic":"t","missing_context":"m","lesson":"l","ask_next_time":"a","meta":{"created":"2026-01-01T00:00:00.000Z","count":2}}';

describe("readVersion", () => {
  it("and writeVersion keep a line of ours byte for byte", () => {
    expect(writeVersion(readVersion(JSON.parse(LINE)) as Version)).toBe(LINE);
  });

  it("keeps fields it does not know", () => {
    const value = { ...JSON.parse(LINE), mood: "calm", meta: { created: "x", reviewer: "kim" } };
    expect(JSON.parse(writeVersion(readVersion(value) as Version))).toEqual(value);
  });

  it("reads a lesson of any length, without meta, with meta of any kind", () => {
    const long = "x".repeat(100_000);
    for (const meta of [undefined, null, 3, [], "yesterday", { created: 7, sources: [] }]) {
      const version = readVersion({
        id: "a1",
        type: "log",
        topic: long,
        lesson: long,
        meta,
      }) as Version;
      expect(version.meta.created).toBe("");
    }
  });

  it.each([
    [null, "not a JSON object"],
    [[1], "not a JSON object"],
    [{ type: "log" }, "no usable id"],
    [{ id: "../x", type: "log" }, "no usable id"],
    [{ id: "__proto__", type: "log" }, "no usable id"],
    [{ id: "a1", type: "decision" }, "unknown type"],
    [{ id: "a1", type: "log", topic: 3, lesson: "l" }, "topic is not a text"],
    [{ id: "a1", type: "log", topic: "t" }, "lesson is not a text"],
    [
      { id: "a1", type: "log", topic: "t", lesson: "l", missing_context: 1 },
      "missing_context is not a text",
    ],
    [
      { id: "a1", type: "log", topic: "t", lesson: "l", ask_next_time: [] },
      "ask_next_time is not a text",
    ],
  ])("says why %j is no lesson", (value, reason) => expect(readVersion(value)).toBe(reason));
});

describe("timesMet", () => {
  it.each([
    [undefined, 1],
    [3, 3],
    [2.7, 2],
    [0, 1],
    ["many", 1],
  ])("reads a count of %j as %i", (count, times) => {
    const lesson = { id: "a", type: "log", topic: "t", missing_context: "", lesson: "" } as const;
    expect(timesMet({ ...lesson, meta: { created: "", count } as never })).toBe(times);
  });
});

const log = {
  type: "log",
  topic: "결제",
  missing_context: "환불 한도",
  lesson: "ask first",
} as const;

describe("lessonId", () => {
  it("is the digest of topic and missing_context for a log", () => {
    expect(lessonId(log)).toBe(
      createHash("sha256").update("결제환불 한도").digest("hex").slice(0, 16),
    );
    expect(lessonId({ ...log, lesson: "another" })).toBe(lessonId(log));
  });

  it("is the digest of topic and lesson for a principle", () => {
    const principle = { ...log, type: "principle", missing_context: "" } as const;
    expect(lessonId(principle)).toBe(
      createHash("sha256").update("결제ask first").digest("hex").slice(0, 16),
    );
  });
});

describe("lineDigest", () => {
  it("is taken over the bytes, not over the characters that stand for them", () => {
    const bytes = Buffer.from("é");
    expect(lineDigest(bytes.toString("latin1"))).toBe(
      createHash("sha256").update(bytes).digest("hex"),
    );
  });
});

describe("instantOf", () => {
  it.each([
    ["2026-06-01T12:00:00.000Z", Date.UTC(2026, 5, 1, 12)],
    ["2026-06-01T12:00:00+00:00", Date.UTC(2026, 5, 1, 12)],
    ["2026-06-01T21:00:00+09:00", Date.UTC(2026, 5, 1, 12)],
    ["2026-06-01 12:00", Date.UTC(2026, 5, 1, 12)],
  ])("reads %s", (text, instant) => expect(instantOf(text)).toBe(instant));

  it.each([
    "",
    "yesterday",
    "2026-13-01T00:00:00Z",
    "12:00",
    "2026-06-01",
    "+275760-09-13T00:00:00Z",
  ])("takes %j for the oldest", (text) => expect(instantOf(text)).toBe(OLDEST));
});
