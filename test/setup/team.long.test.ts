import { beforeEach, describe, expect, it } from "vitest";
import { pluginFiles } from "../../scripts/plugin-files.ts";
import type { Project } from "../support/project.ts";
import { ClaudeAgent, CursorAgent } from "./configured-agent.ts";
import { Team } from "./team.ts";

const BY_HAND = { "CLAUDE.md": "# The shop\n", "src/deep/code.ts": "" };
const MEMORY = ".context/memory_log.jsonl";
interface Entry {
  readonly matcher?: string;
  readonly hooks: readonly { readonly server?: string }[];
}

/** The entries of a table, with the calls of one server alone, by whatever name. */
function hooksOf(table: Readonly<Record<string, readonly Entry[]>>, name: string): object {
  const isOf = ({ server = name }: Entry["hooks"][number]) => server === name;
  const named = (hooks: Entry["hooks"]) => hooks.filter(isOf).map(({ server, ...rest }) => rest);
  return Object.entries(table).map(([event, entries]) => [
    event,
    entries.map(({ hooks, ...entry }) => ({ ...entry, hooks: named(hooks) })),
  ]);
}

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
let ann: Project;
let ben: Project;
beforeEach(async () => {
  team = await Team.create(BY_HAND);
  [ann, ben] = [await team.join(), await team.join()];
});

/** Ann sets the project up for everybody. */
async function annSetsUp(): Promise<CursorAgent> {
  expect(await ann.sentinel(INIT)).toMatchObject({ exit: 0 });
  await ann.push("Add the project memory");
  return new CursorAgent(ann);
}

async function lessonsOf(clone: Project): Promise<string[]> {
  const lines = (await clone.read(MEMORY)).trimEnd().split("\n");
  return lines.map((line) => JSON.parse(line).lesson).sort();
}

async function passOn(from: Project, to: Project): Promise<void> {
  await from.push("Log what was learnt");
  await to.pull();
}

describe("a team with two clones and two clients", () => {
  it("passes on what one has learnt: given unasked, asked next time, and reminded of at the end", async () => {
    const cursor = await annSetsUp();
    expect(await cursor.call("log_memory", VAT)).toContain("Saved");
    expect((await ann.changes()).trim()).toBe("M .context/memory_log.jsonl");
    await passOn(ann, ben);

    const claude = new ClaudeAgent(ben, "src/deep");
    const start = await claude.tells("SessionStart", { source: "startup" });
    expect(start).toContain(VAT.lesson);
    expect(start).toContain(`ask_next_time: ${VAT.ask_next_time}`);
    expect(await claude.call("search_memory", { query: "VAT" })).toContain(
      `ask_next_time: ${VAT.ask_next_time}`,
    );

    await cursor.call("log_memory", REFUND);
    await passOn(ann, ben);
    const prompt =
      "Show the VAT of the country in billing, and use the refund API of the payment provider";
    const told = await claude.tells("UserPromptSubmit", { prompt });
    expect(told).toContain(REFUND.lesson);
    expect(told, "given at the start").not.toContain(VAT.lesson);

    await claude.write("src/deep/invoice.ts", "export {};\n");
    expect(await claude.tells("Stop", { stop_hook_active: false })).toMatch(
      /src\/deep\/invoice\.ts.*log_memory/,
    );
    expect(await claude.tells("Stop", { stop_hook_active: true })).toBe("");
    await claude.write("src/deep/invoice.ts", "export const next = 1;\n");
    expect(await claude.tells("Stop", { stop_hook_active: false }), "a second reminder").toBe("");

    await claude.call("log_memory", INVOICE);
    await passOn(ben, ann);
    expect(await cursor.tells("sessionStart")).toContain(INVOICE.lesson);
    expect([await ann.changes(), await ben.changes()]).toEqual(["", ""]);
  });

  it("merges what two people logged first, after one of them had set the project up", async () => {
    const cursor = await annSetsUp();
    await ben.pull();
    await cursor.call("log_memory", VAT);
    await ann.push("Log what was learnt");
    await new ClaudeAgent(ben, ".").call("log_memory", REFUND);

    // Not committed yet: git refuses to pull, and the documented remedy works.
    await expect(ben.git("pull", "--quiet")).rejects.toThrow("would be overwritten by merge");
    await ben.git("pull", "--quiet", "--rebase", "--autostash");
    expect(await lessonsOf(ben)).toEqual([VAT.lesson, REFUND.lesson].sort());
    await ben.push("Log what was learnt");

    // Committed on both sides.
    await cursor.call("log_memory", INVOICE);
    await ann.commit("Log what was learnt");
    await ann.git("pull", "--quiet", "--no-rebase", "--no-edit");
    expect(await lessonsOf(ann)).toEqual([VAT.lesson, REFUND.lesson, INVOICE.lesson].sort());
  });

  it("learns from doctor what helps when git pull stops because the memory was never committed", async () => {
    const cursor = await annSetsUp();
    await ann.git("rm", "--quiet", MEMORY);
    await passOn(ann, ben);
    await cursor.call("log_memory", VAT);
    await ann.push("Log what was learnt");
    await new ClaudeAgent(ben, ".").call("log_memory", REFUND);
    await expect(ben.git("pull", "--quiet", "--rebase", "--autostash")).rejects.toThrow(
      "untracked working tree files",
    );
    const { stdout } = await ben.sentinel(["doctor"]);
    expect(stdout).toMatch(new RegExp(`${MEMORY} is not in git yet.*\\n *fix: git add ${MEMORY}`));
    await ben.git("add", MEMORY);
    await ben.git("commit", "--quiet", "--message", "Log what was learnt");
    await ben.git("pull", "--quiet", "--no-rebase", "--no-edit");
    expect(await lessonsOf(ben)).toEqual([VAT.lesson, REFUND.lesson].sort());
  });

  /** Claude Code reads the settings only in the folder it is started in; the plugin brings these lines to every other. */
  it("has the same hooks from init and from the plugin, each for the server that it comes with", async () => {
    await annSetsUp();
    const { hooks } = JSON.parse(await ann.read(".claude/settings.json"));
    const ofPlugin = JSON.parse(pluginFiles()["plugin/hooks/hooks.json"] ?? "").hooks;
    // Claude Code suppresses a plugin's server that starts as the project's does: then that one answers.
    for (const server of ["plugin:sentinel-memory:sentinel-memory", "sentinel-memory"]) {
      expect(hooksOf(ofPlugin, server)).toEqual(hooksOf(hooks, "sentinel-memory"));
    }
  });
});
