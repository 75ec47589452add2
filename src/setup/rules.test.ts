import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { rulesIn } from "./project-edits.ts";
import { RULES } from "./rules.ts";

describe("the rules", () => {
  it("are in this repository's own .cursorrules (npm run generate writes it)", () => {
    expect(readFileSync(".cursorrules", "utf8")).toBe(rulesIn(".cursorrules").put(undefined, false));
  });

  it("begin with the frontmatter that makes Cursor always apply them, in a file of Cursor's own kind", () => {
    const text = rulesIn(".cursor/rules/sentinel-memory.mdc").put(undefined, false);
    expect(text).toMatch(/^---\n(?:.*\n)*alwaysApply: true\n---\n\n<!-- sentinel-memory:start/);
    expect(rulesIn(".cursor/rules/sentinel-memory.mdc").take(text, false)).toBeUndefined();
  });

  it.each(["search_memory", "log_memory", "compact_memory", "ask_next_time", "source_ids"])("name %s", (word) => {
    expect(RULES).toContain(word);
  });

  it("cost a session little", () => {
    expect(RULES.length).toBeLessThan(2_600);
  });
});
