/** Short ways to write a memory file down in a test. */
import { parseFile, renderFile } from "../../src/lessons/format/file-lines.ts";
import { type Lesson, lessonId, writeVersion } from "../../src/lessons/format/lesson.ts";
import { type Snapshot, WorkingCopy } from "../../src/lessons/merge/versions.ts";

/** An instant on the day the tests play: `at(9)` is nine o'clock. */
export function at(hour: number): string {
  return new Date(Date.UTC(2026, 5, 1, hour)).toISOString();
}

/** Lessons, and lines that may be anything, as a file. */
export function toFile(lines: readonly (Lesson | string)[]): string {
  return lines.map((line) => `${typeof line === "string" ? line : writeVersion(line)}\n`).join("");
}

/** A log with an id that follows from its text. */
export function log(texts: Partial<Lesson> = {}): Lesson {
  const lesson = {
    type: "log" as const,
    topic: "payment",
    missing_context: "VAT differs by country",
    lesson: "Read the tax table first",
    meta: { created: "2026-02-27T10:30:00.000Z" },
    ...texts,
  };
  return { id: lessonId(lesson), ...lesson };
}

export function logLine(
  topic: string,
  missing_context: string,
  hour = 9,
  more: object = {},
): string {
  const texts = { type: "log" as const, topic, missing_context, lesson: "ask first" };
  return JSON.stringify({ id: lessonId(texts), ...texts, ...more, meta: { created: at(hour) } });
}

export function principleLine(
  topic: string,
  lesson: string,
  sources: Record<string, string>,
  hour = 10,
): string {
  const texts = { type: "principle" as const, topic, missing_context: "", lesson };
  const meta = {
    created: at(hour),
    compacted_at: at(hour),
    source_count: Object.keys(sources).length,
    sources,
  };
  return JSON.stringify({ id: lessonId(texts), ...texts, meta });
}

export function tombstoneLine(id: string, hour = 10): string {
  return JSON.stringify({ id, type: "forgotten", meta: { created: at(hour) } });
}

export function logId(topic: string, missing_context: string): string {
  return lessonId({ type: "log", topic, missing_context, lesson: "" });
}

/** What a file with these lines knows; a test may change it. */
export function snapshotOf(...lines: readonly string[]): WorkingCopy {
  return new WorkingCopy(parseFile(Buffer.from(`${lines.join("\n")}\n`)).versions);
}

/** The lines of a snapshot as a file. */
export function linesOf(snapshot: Snapshot): string[] {
  return renderFile(snapshot.lines(), []).toString().split("\n").slice(0, -1);
}
