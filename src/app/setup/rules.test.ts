import { readFileSync } from "node:fs";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, it } from "vitest";
import { BYTE_LIMITS } from "../../lessons/format/lesson.ts";
import { DEFAULT_COMPACT_THRESHOLD } from "../../lessons/policy.ts";
import { rulesEdit } from "./project-edits.ts";
import { RULES } from "./rules.ts";

describe("the rules", () => {
  it("are in this repository's own .cursorrules (npm run generate writes it)", () => {
    expect(readFileSync(".cursorrules", "utf8")).toBe(rulesEdit(".cursorrules").put(undefined));
  });

  it.each(["search_memory", "log_memory", "compact_memory", "ask_next_time", "source_ids"])(
    "name %s",
    (word) => {
      expect(RULES).toContain(word);
    },
  );

  it("say that no step may be skipped, which topics are good, too broad and too narrow, and when a compaction is due", () => {
    const text = rulesEdit("AGENTS.md").put(undefined);
    expect(text).toMatch(/None may be skipped/);
    const named = (before: RegExp) => before.exec(text)?.[1]?.match(/`[a-z0-9_-]+`/g) ?? [];
    expect(named(/module or feature, like ([^.]*)\./).length).toBeGreaterThanOrEqual(4);
    expect(named(/Too broad: ([^.]*)\./).length).toBeGreaterThanOrEqual(2);
    expect(named(/Too narrow: ([^.]*)\./).length).toBeGreaterThanOrEqual(2);
    expect(text).toContain(`above ${DEFAULT_COMPACT_THRESHOLD} lessons`);
    expect(text).toContain(`at most ${BYTE_LIMITS.ask_next_time} bytes`);
  });

  it("cost a session little, with their marks", () => {
    const text = rulesEdit(".cursorrules").put(undefined);
    expect(text.trimEnd().split("\n").length).toBeLessThanOrEqual(20);
    expect(countTokens(text)).toBeLessThanOrEqual(400);
  });
});
