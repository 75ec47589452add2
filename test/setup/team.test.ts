import { existsSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { pluginFiles } from "../../scripts/plugin-files.ts";
import { ClaudeAgent, CursorAgent } from "./configured-agent.ts";
import type { Repository } from "./repository.ts";
import { Team } from "./team.ts";

const BY_HAND = { "CLAUDE.md": "# The shop\n", "src/deep/code.ts": "" };
const INIT = ["init", "--agents", "cursor,claude"];

const VAT = {
  topic: "billing",
  missing_context: "VAT differs by country",
  lesson: "Read the rate table of the country first",
  ask_next_time: "Which countries does this change apply to?",
};
const REFUND = {
  topic: "refunds",
  missing_context: "Refunds have their own API at the payment provider",
  lesson: "Use the refund API, never a negative charge",
};
const INVOICE = {
  topic: "invoices",
  missing_context: "Invoice numbers must not have gaps",
  lesson: "Take the number in the transaction that saves the invoice",
};

let team: Team;
let ann: Repository;
let ben: Repository;
beforeEach(async () => {
  team = await Team.create(BY_HAND);
  [ann, ben] = [await team.join(), await team.join()];
});
afterEach(async () => team.remove());

/** Ann sets the project up for everybody. */
async function annSetsUp(): Promise<CursorAgent> {
  expect(await ann.sentinel(INIT)).toMatchObject({ exit: 0 });
  await ann.push("Add the project memory");
  return new CursorAgent(ann);
}

async function passOn(from: Repository, to: Repository): Promise<void> {
  await from.push("Log what was learnt");
  await to.pull();
}

describe("a team with two clones and two clients", () => {
  it("passes on what one has learnt: told unasked, asked next time, and reminded of at the end", async () => {
    const cursor = await annSetsUp();
    expect(await cursor.call("log_memory", VAT)).toContain("Saved");
    expect((await ann.changes()).trim()).toBe("?? .context/memory_log.jsonl");
    await passOn(ann, ben);

    const claude = new ClaudeAgent(ben, "src/deep");
    const start = await claude.tells("SessionStart", { source: "startup" });
    expect(start).toContain(VAT.lesson);
    expect(start).toContain(`ask_next_time: ${VAT.ask_next_time}`);
    expect(await claude.call("search_memory", { query: "VAT" })).toContain(`ask_next_time: ${VAT.ask_next_time}`);

    await cursor.call("log_memory", REFUND);
    await passOn(ann, ben);
    const prompt = "Show the VAT of the country in billing, and use the refund API of the payment provider";
    const told = await claude.tells("UserPromptSubmit", { prompt });
    expect(told).toContain(REFUND.lesson);
    expect(told, "given at the start").not.toContain(VAT.lesson);

    await claude.write("src/deep/invoice.ts", "export {};\n");
    expect(await claude.tells("Stop", { stop_hook_active: false })).toMatch(/src\/deep\/invoice\.ts.*log_memory/);
    expect(await claude.tells("Stop", { stop_hook_active: true })).toBe("");
    await claude.write("src/deep/invoice.ts", "export const next = 1;\n");
    expect(await claude.tells("Stop", { stop_hook_active: false }), "a second reminder").toBe("");

    await claude.call("log_memory", INVOICE);
    await passOn(ben, ann);
    expect(await cursor.tells("sessionStart")).toContain(INVOICE.lesson);
    expect([await ann.changes(), await ben.changes()]).toEqual(["", ""]);
  });

  /** Claude Code reads the settings only in the folder it is started in; the plugin brings these lines to every other. */
  it("has the same hooks from init and from the plugin", async () => {
    await annSetsUp();
    const { hooks } = JSON.parse(await ann.read(".claude/settings.json"));
    expect(JSON.parse(pluginFiles()["plugin/hooks/hooks.json"] ?? "")).toEqual({ hooks });
  });
});

describe("uninstall", () => {
  it("right after init leaves a clone as git knows it", async () => {
    const carol = await team.join();
    await carol.sentinel(INIT);
    expect(await carol.changes()).not.toBe("");
    expect(await carol.sentinel(["uninstall"])).toMatchObject({ exit: 0 });
    expect(await carol.changes()).toBe("");
    expect(existsSync(carol.path(".context"))).toBe(false);
  });

  it("in a teammate's clone takes out what is ours, and leaves the memory and what is theirs", async () => {
    const cursor = await annSetsUp();
    await cursor.call("log_memory", VAT);
    await passOn(ann, ben);
    await new ClaudeAgent(ben, ".").tells("SessionStart", { source: "startup" });
    expect(await ben.sentinel(["uninstall"])).toMatchObject({ exit: 0 });
    expect((await ben.changes()).trimEnd().split("\n")).toEqual([
      " D .claude/settings.json",
      " D .cursor/hooks.json",
      " D .cursor/mcp.json",
      " D .cursor/rules/sentinel-memory.mdc",
      " D .cursorrules",
      " D .mcp.json",
      " M CLAUDE.md",
    ]);
    expect(await ben.read("CLAUDE.md")).toBe(BY_HAND["CLAUDE.md"]);
    expect(await ben.read(".context/memory_log.jsonl")).toContain(VAT.lesson);
  });
});
