import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Content, Event } from "../kinds/event.ts";
import { chunksOf, cutText, eventOfChunk, LEAST_BYTES, MOST_BYTES } from "./chunks.ts";

const ULID = "01KA0000000000000000000000";

function event(kind: Event["kind"], content: Content): Event {
  const whole = {
    id: `evt_${ULID}`,
    ts: "2026-11-21T08:00:00.000Z",
    session: "s",
    agent: "claude-code",
    channel: "private",
    actor: { type: "agent", id: "claude-code" },
    kind,
    content,
    refs: [],
    tags: [],
    sensitivity: "none",
    hash: "sha256:0",
  };
  return whole as Event;
}

const textsOf = (kind: Event["kind"], content: Event["content"]) =>
  chunksOf(event(kind, content)).map(({ text }) => text);

describe("the chunks of an event", () => {
  it("are named after it and numbered from 01", () => {
    const long = "The parser keeps the comments of a table.\n".repeat(200);
    const ids = chunksOf(event("message", { text: long })).map(({ id }) => id);
    expect(ids.length).toBeGreaterThan(2);
    expect(ids.slice(0, 2)).toEqual([`chk_${ULID}_01`, `chk_${ULID}_02`]);
    expect(ids.map(eventOfChunk)).toEqual(ids.map(() => `evt_${ULID}`));
  });

  it("hold what each kind says", () => {
    expect(textsOf("message", { text: "Why does it retry?" })).toEqual(["Why does it retry?"]);
    const call = {
      tool: "Grep",
      path: "src/a.ts",
      input: { pattern: "retry", output_mode: "count" },
    };
    expect(textsOf("tool_call", call)).toEqual(["Grep\nsrc/a.ts\nretry"]);
    const result = {
      tool: "Read",
      path: "src/a.ts",
      excerpt_text: "const a = 1;",
      truncated: false,
    };
    expect(textsOf("tool_result", result)).toEqual(["src/a.ts\nconst a = 1;"]);
    const decision = {
      question: "Which store?",
      decision: "Files",
      alternatives: ["SQLite", "LMDB"],
    };
    expect(textsOf("decision", decision)).toEqual(["Files\nWhich store?\nSQLite\nLMDB"]);
    expect(textsOf("task_update", { task: "7", title: "Write it", details: "With tests" })).toEqual(
      ["Write it\nWith tests"],
    );
    expect(textsOf("summary", { text: "So far", of: "compaction" })).toEqual(["So far"]);
  });

  it("are none where it says nothing", () => {
    expect(textsOf("message", { text: " \n" })).toEqual([]);
    expect(textsOf("tool_call", { tool: "TaskList" })).toEqual([]);
    expect(textsOf("task_update", { task: "7", status: "done" })).toEqual([]);
    expect(textsOf("session", { event: "compact", reason: "auto" })).toEqual([]);
  });
});

describe("cutting", () => {
  const sentences = {
    English: "The server keeps one connection open. It retries after 30 seconds!",
    Korean: "서버는 연결을 하나만 유지한다. 실패하면 30초 뒤에 다시 시도한다!",
    Chinese: "服务器只保持一个连接。失败后三十秒再试！",
    code: "  if (retryCount > MAX_RETRIES) throw new Error(`gave up: ${name}`);",
    digest: "3f786850e387550fdab836ed7e6dc881de23001b ",
    emoji: "👩‍💻🚀",
    punctuation: "{}();=>[]!.,",
  };
  const joints = ["\n", " ", "", "\n\n", "\r\n", "\n    "];
  const anyText = fc
    .array(
      fc.tuple(
        fc.constantFrom(...Object.values(sentences)),
        fc.constantFrom(...joints),
        fc.nat({ max: 40 }),
      ),
      {
        maxLength: 40,
      },
    )
    .map((parts) =>
      parts.map(([sentence, joint, count]) => `${sentence}${joint}`.repeat(count)).join(""),
    );

  it("loses nothing, makes no part too big, and cuts no character in two", () => {
    fc.assert(
      fc.property(fc.oneof(anyText, fc.string({ unit: "binary", maxLength: 5000 })), (text) => {
        const parts = cutText(text);
        expect(parts.join("")).toBe(text);
        for (const part of parts) {
          expect(Buffer.byteLength(part)).toBeLessThanOrEqual(MOST_BYTES);
          expect(part).not.toMatch(/^[\udc00-\udfff]|[\ud800-\udbff]$/);
        }
      }),
      { numRuns: 50 },
    );
  });

  it("cuts a text of 16 MB without a space, for which a search back to its start would not end in time", () => {
    const text = "z".repeat(16 * 1024 * 1024);
    const parts = cutText(text);
    expect(parts.join("") === text).toBe(true);
    expect(parts.every((part) => part.length <= MOST_BYTES)).toBe(true);
  });

  it("keeps lone surrogates, and cuts closing quotes without spaces in time", () => {
    for (const text of ["\ud83d".repeat(5_000), "\ufffd".repeat(5_000), ".)".repeat(1_000_000)]) {
      const parts = cutText(text);
      expect(parts.join("") === text).toBe(true);
      expect(parts.every((part) => Buffer.byteLength(part) <= MOST_BYTES)).toBe(true);
    }
  });

  const LONGEST_CHARACTER = 4;

  it("makes no part of a longer text much too small", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const parts = cutText(text);
        if (parts.length === 1) {
          return;
        }
        for (const part of parts) {
          expect(Buffer.byteLength(part)).toBeGreaterThanOrEqual(LEAST_BYTES - LONGEST_CHARACTER);
        }
      }),
      { numRuns: 50 },
    );
  });

  it("ends at the last paragraph that fits, else at a line, else at a sentence", () => {
    const paragraph = `${sentences.English}\n`.repeat(20);
    expect(cutText(`${paragraph}\n`.repeat(6)).every((part) => part.endsWith("\n\n"))).toBe(true);
    expect(cutText(paragraph.repeat(5)).every((part) => part.endsWith("!\n"))).toBe(true);
    for (const text of [`${sentences.English} `, `${sentences.Korean} `, sentences.Chinese]) {
      const parts = cutText(text.repeat(150));
      expect(parts.length).toBeGreaterThan(1);
      for (const part of parts) {
        expect(part.trim()).toMatch(/[.!。！]$/);
      }
    }
  });
});
