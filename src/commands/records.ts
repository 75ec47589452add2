import { oneLine } from "../memory/presentation.ts";
import type { Lesson } from "../memory/record.ts";

const LESSON_WIDTH = 80;

/** A record in one line of a terminal. */
export function inShort({ id, topic, lesson }: Lesson): string {
  const text = [...oneLine(lesson)];
  return `${id.slice(0, 8)}  ${oneLine(topic)}: ${text.slice(0, LESSON_WIDTH).join("")}${text.length > LESSON_WIDTH ? "…" : ""}`;
}
