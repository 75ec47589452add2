/** Cursor's own agent runtime on what `init` writes, with a script in the place of its model. */
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { testRepository } from "../support/in-test.ts";
import type { Project } from "../support/project.ts";
import { installAgents } from "./agents.ts";
import { CONTEXT, mcp } from "./cursor/steps.ts";
import { cursorTurn } from "./cursor/turn.ts";

beforeAll(installAgents, 900_000);

const LESSON = "Read the rate table first";
const log = (more: object = {}) =>
  mcp("log_memory", {
    topic: "billing",
    missing_context: "VAT differs by country",
    lesson: LESSON,
    ...more,
  });
const SEARCH = mcp("search_memory", { query: "VAT" });

let shop: Project;
beforeEach(async () => {
  shop = await testRepository({ "packages/api/vat.ts": "export const vat = 24;\n" });
  await shop.sentinel(["init", "--vendor", "--agents", "cursor"]);
  await shop.commit("init");
});

describe("the server", () => {
  it("starts, lists its tools, gives its instructions and keeps the project's memory", async () => {
    const [run] = await cursorTurn(shop, [CONTEXT, log(), SEARCH, "Done."]);
    const [start, saved, found] = run?.results ?? [];
    expect(start?.context.tools?.map(({ toolName }) => toolName)).toEqual([
      "search_memory",
      "log_memory",
      "compact_memory",
    ]);
    expect(start?.context.instructions?.[0]?.text).toContain("call search_memory");
    expect(saved?.text).toMatch(/^Saved/);
    expect(found?.text).toContain(LESSON);
    expect(await shop.memory()).toContain("VAT differs by country");
  });
});
