import { describe, expect, it } from "vitest";
import { toLine } from "../format/file-lines.ts";
import type { Lesson } from "../format/lesson.ts";
import type { LessonLine } from "../merge/versions.ts";
import { markdownOf } from "./markdown.ts";

function entry(lesson: Partial<Lesson>): LessonLine {
  const meta = { created: "2026-02-27T10:30:00.000Z" };
  return toLine({
    id: "a1b2c3d4",
    type: "log",
    topic: "ui",
    missing_context: "m",
    lesson: "l",
    meta,
    ...lesson,
  }) as LessonLine;
}

describe("markdownOf", () => {
  it("puts principles before logs, topic by topic", () => {
    const page = markdownOf([
      entry({
        topic: "payment",
        lesson: "Ask for the country",
        ask_next_time: "Which?",
        meta: { created: "", count: 2 },
      }),
      entry({ lesson: "Newer log", meta: { created: "2026-05-01T00:00:00.000Z" } }),
      entry({ type: "principle", missing_context: "", lesson: "Keep it simple" }),
    ]);
    expect(page).toBe(`# Lessons of this project

3 lessons in 2 topics.

## payment

- Ask for the country

  Missing: m

  Ask next time: Which?

  *undated, met 2 times, \`a1b2c3d4\`*

## ui

- Keep it simple

  *principle, 2026-02-27, \`a1b2c3d4\`*

- Newer log

  Missing: m

  *2026-05-01, \`a1b2c3d4\`*`);
  });

  it("keeps the code in a text, and lets nothing in it break out of its place", () => {
    const text =
      "Use `<Form>` not <script>\n# heading\n- item\n1. one\n---\n![x](http://t.example)";
    expect(markdownOf([entry({ lesson: text })])).toContain(
      [
        "- Use `<Form>` not \\<script>",
        "  \\# heading",
        "  \\- item",
        "  1\\. one",
        "  \\---",
        "  \\![x](http://t.example)",
      ].join("\n"),
    );
  });
});
