import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { lessonId, lineDigest, sameText } from "./lesson.ts";

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

  it("is shared by texts whose join is the same, which sameText tells apart", () => {
    const one = {
      ...log,
      id: "",
      topic: "auth",
      missing_context: "login x",
      meta: { created: "" },
    };
    const other = { ...one, topic: "authl", missing_context: "ogin x" };
    expect(lessonId(one)).toBe(lessonId(other));
    expect(sameText(one, other)).toBe(false);
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
