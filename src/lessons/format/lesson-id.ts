/** Names for lessons: the id that follows from a lesson's text, and the short reference that also follows from its line. */
import { createHash } from "node:crypto";
import type { Lesson } from "./lesson.ts";

const ID_DIGITS = 16;

/** The text that identifies a lesson together with its topic (docs/design/lessons.md, "The file"). */
export function definingText(lesson: Pick<Lesson, "type" | "missing_context" | "lesson">): string {
  return lesson.type === "log" ? lesson.missing_context : lesson.lesson;
}

/** First 16 hex digits of SHA-256 over the UTF-8 bytes of topic + defining text, both as stored. */
export function lessonId(
  lesson: Pick<Lesson, "type" | "topic" | "missing_context" | "lesson">,
): string {
  return sha256(Buffer.from(lesson.topic + definingText(lesson), "utf8")).slice(0, ID_DIGITS);
}

/** SHA-256 of a line's bytes, in hex. Any change of the line changes it. */
export const lineDigest = (raw: string): string => sha256(Buffer.from(raw, "latin1"));

/** Whether two lessons say the same thing under the same topic, i.e. whether one may be a version of the other. */
export function sameText(
  a: Lesson,
  b: Pick<Lesson, "type" | "topic" | "missing_context" | "lesson">,
): boolean {
  return a.type === b.type && a.topic === b.topic && definingText(a) === definingText(b);
}

const sha256 = (bytes: Buffer): string => createHash("sha256").update(bytes).digest("hex");
