import { readFileSync } from "node:fs";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, it } from "vitest";
import { cursor } from "../clients/cursor.ts";
import { rulesEdit } from "./project-edits.ts";
import { RULES } from "./rules.ts";

describe("the rules", () => {
  it("are in this repository's own .cursorrules (npm run generate writes it)", () => {
    expect(readFileSync(".cursorrules", "utf8")).toBe(rulesEdit({ path: ".cursorrules" }).put(undefined));
  });

  it("begin with the frontmatter that makes Cursor always apply them, in a file of Cursor's own kind", () => {
    const rules = cursor.rules.find(({ path }) => path.endsWith(".mdc")) ?? expect.fail("Cursor has no such file");
    const text = rulesEdit(rules).put(undefined);
    expect(text).toMatch(/^---\n(?:.*\n)*alwaysApply: true\n---\n\n<!-- sentinel-memory:start/);
    expect(rulesEdit(rules).take(text)).toBeUndefined();
  });

  it.each(["search_memory", "log_memory", "compact_memory", "ask_next_time", "source_ids"])("name %s", (word) => {
    expect(RULES).toContain(word);
  });

  it("cost a session little, with their marks", () => {
    const text = rulesEdit({ path: ".cursorrules" }).put(undefined);
    expect(text.trimEnd().split("\n").length).toBeLessThanOrEqual(15);
    expect(countTokens(text)).toBeLessThanOrEqual(250);
  });
});
