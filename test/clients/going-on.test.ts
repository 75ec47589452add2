/** Going on with real input: an agent compacts its context, or starts again a day later, and has what it needs to go on. */
import { beforeAll, describe, expect, it } from "vitest";
import { testRepository } from "../support/in-test.ts";
import type { Project } from "../support/project.ts";
import { eventsOnce } from "../support/session-hooks.ts";
import { installAgents, trustProject } from "./agents.ts";
import type { Say } from "./fake-model.ts";
import { claudeTurn, codexTurn, geminiTurn, opencodeTurn } from "./turns.ts";

beforeAll(installAgents, 600_000);

const PLAN = "Implement the following plan: # Give Norway a file of its own";
/** What is said of the file differs: at a start that it is not committed, after a compaction that it changed. */
const STOOD = ["task open: Correct the rate", "src/norway.ts", "node missing.mjs' failed"];

/** A session that accepted a plan, began a task, changed a file, saw a command fail, and ended. */
async function worked(): Promise<Project> {
  const shop = await testRepository({ "src/vat.ts": "export const vat = 24;\n" });
  await shop.write(
    "~/.claude/settings.json",
    '{"permissions":{"allow":["Write","Bash","TaskCreate"]}}\n',
  );
  await shop.run("sessions", "on");
  const create: Say = {
    tool: "TaskCreate",
    input: { subject: "Correct the rate", description: "It is 25." },
  };
  const write: Say = {
    tool: "Write",
    input: { file_path: shop.path("src/norway.ts"), content: "export {};\n" },
  };
  const run: Say = { tool: "Bash", input: { command: "node missing.mjs", description: "run" } };
  await claudeTurn(shop, [create, write, run, "Norway has a file."], ".", { prompt: PLAN });
  await recordedAll(shop, "Norway has a file.");
  return shop;
}

/** The captures that hooks started have read this, and understood all. */
async function recordedAll(shop: Project, words: string): Promise<void> {
  await eventsOnce(shop, (found) => JSON.stringify(found).includes(words));
  await shop.run("sessions", "capture");
  expect(await shop.json("sessions", "status")).toMatchObject({
    linesNotUnderstood: { lines: 0 },
    damaged: 0,
  });
}

const plainOf = (text: string) => text.replaceAll("`", "'");
const plain = (asked: readonly string[]) => plainOf(asked.join());

const TRUSTED = { args: ["--dangerously-bypass-hook-trust"] };

/** Works in one session of Codex, and expects the next one to be given where that stopped. */
async function goesOnInCodex(shop: Project): Promise<void> {
  await codexTurn(shop, ["Norway has a file."], ".", {
    ...TRUSTED,
    prompt: "Give Norway a file of its own",
  });
  await recordedAll(shop, "Norway has a file.");
  const asked = plain(await codexTurn(shop, ["I go on."], ".", TRUSTED));
  for (const words of [
    "Where we stopped on branch main",
    "Give Norway a file of its own",
    "Norway has a file.",
  ]) {
    expect(asked).toContain(words);
  }
}

describe("Claude Code with recording on", () => {
  it("goes on in a new session with the open task, the file and the failure of the last one", async () => {
    const shop = await worked();
    const asked = plain(await claudeTurn(shop, ["I go on."]));
    for (const words of ["Where we stopped on branch main", "Norway has a file.", ...STOOD]) {
      expect(asked).toContain(words);
    }
    await recordedAll(shop, "I go on.");
  });

  it("goes on after /compact with the same of itself, the decision and the last command", async () => {
    const shop = await worked();
    await claudeTurn(shop, [], ".", { prompt: "/compact", resumes: true });
    const asked = plain(await claudeTurn(shop, ["I go on."], ".", { resumes: true }));
    for (const words of [
      "State of this session before compaction",
      "last command: 'node",
      "plan accepted: Give Norway a file of its own",
      ...STOOD,
    ]) {
      expect(asked).toContain(words);
    }
    await recordedAll(shop, "I go on.");
  });
});

describe("Codex with recording on", () => {
  it("goes on after a compaction in the middle of a turn with what it was asked and its last command", async () => {
    const shop = await testRepository({ "src/vat.ts": "export const vat = 24;\n" });
    await trustProject(shop);
    await shop.run("sessions", "on");
    const how = {
      args: ["--dangerously-bypass-hook-trust"],
      prompt: "Give Norway a file of its own",
    };
    const run: Say = { tool: "exec_command", input: { cmd: "node missing.mjs" } };
    await codexTurn(shop, [run, "Norway has a file."], ".", how);
    await recordedAll(shop, "Norway has a file.");
    const more = { ...how, resumes: true, prompt: "Now correct the rate of Norway" };
    const fill: Say = { tool: "exec_command", input: { cmd: "echo one" }, fills: true };
    const asked = await codexTurn(shop, [fill, "I go on."], ".", more);
    const last = plain([asked.at(-1) ?? ""]);
    for (const words of [
      "State of this session before compaction",
      "asked: Now correct the rate of Norway",
      "asked before that: Give Norway",
      "last command: 'echo one'",
    ]) {
      expect(last).toContain(words);
    }
    await recordedAll(shop, "I go on.");
  });

  it("goes on in a new session with the end of the last one, once its hooks are trusted", async () => {
    const shop = await testRepository({ ".codex/.keep": "" });
    await trustProject(shop);
    await shop.run("sessions", "on");
    await goesOnInCodex(shop);
    await recordedAll(shop, "I go on.");
  });
});

describe("agents whose hooks of the team run at no start, with recording on", () => {
  it("of Codex go on at the first prompt of a session, and say nothing more at the next", async () => {
    const shop = await testRepository({ ".codex/.keep": "" });
    await trustProject(shop);
    await shop.run("init", "--vendor", "--agents", "codex");
    await shop.run("sessions", "on");
    expect(await shop.read(".codex/hooks.json")).not.toContain("SessionStart");
    await goesOnInCodex(shop);
    const resumed = await codexTurn(shop, ["Still here."], ".", {
      ...TRUSTED,
      resumes: true,
      prompt: "And Oslo?",
    });
    expect(resumed.join().split("Where we stopped")).toHaveLength(2);
    await recordedAll(shop, "Still here.");
  });

  it("of Gemini CLI go on at the first prompt of a session", async () => {
    const shop = await testRepository({ ".gemini/.keep": "" });
    await shop.run("init", "--vendor", "--agents", "gemini");
    await shop.run("sessions", "on");
    const first = await geminiTurn(shop, ["Norway has a file."], ".", {
      prompt: "Give Norway a file of its own",
    });
    expect(first.join()).not.toContain("Where we stopped");
    const asked = plain(await geminiTurn(shop, ["I go on."]));
    for (const words of [
      "Where we stopped on branch main",
      "Give Norway a file of its own",
      "Norway has a file.",
    ]) {
      expect(asked).toContain(words);
    }
    await recordedAll(shop, "I go on.");
  });
});

describe("opencode with recording on", () => {
  it("goes on in a new session with the end of the last one, in each request, and records nothing of that", async () => {
    const shop = await testRepository();
    await shop.write("~/.local/share/opencode/log/empty.log", "");
    await shop.run("sessions", "on");
    const asked = await opencodeTurn(shop, ["Norway has a file."], ".", {
      prompt: "Give Norway a file of its own",
    });
    expect(asked.join()).not.toContain("Where we stopped");
    await recordedAll(shop, "Norway has a file.");
    expect(await shop.changes()).toBe("");
    const write: Say = {
      tool: "write",
      input: { filePath: shop.path("src/oslo.ts"), content: "export {};\n" },
    };
    const again = await opencodeTurn(shop, [write, "I go on."]);
    const told = again
      .map(plainOf)
      .filter((request) => request.includes("Where we stopped on branch main"));
    expect(told.length).toBeGreaterThan(1);
    for (const request of told) {
      expect(request.split("Where we stopped")).toHaveLength(2);
      expect(request).toContain("Norway has a file.");
    }
    await recordedAll(shop, "I go on.");
    expect(JSON.stringify(await eventsOnce(shop, () => true))).not.toContain("Where we stopped");
    // One that is taken up has its conversation.
    const resumed = await opencodeTurn(shop, ["Still here."], ".", { resumes: true });
    expect(resumed.join()).not.toContain("Where we stopped");
    await recordedAll(shop, "Still here.");
  });
});
