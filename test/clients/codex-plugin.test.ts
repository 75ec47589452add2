/** The plugin in the real Codex, from the marketplace in this repository. */
import { rm } from "node:fs/promises";
import { resolve } from "node:path";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { testRepository } from "../support/in-test.ts";
import { logLine, toFile } from "../support/lines.ts";
import type { Project } from "../support/project.ts";
import { installAgents, runAgent, trustProject } from "./agents.ts";
import type { Say } from "./fake-model.ts";
import { codexTurn } from "./turns.ts";

beforeAll(installAgents, 900_000);

const TAG = "Publish prereleases with --tag next";
const LESSON = logLine("release", "Prereleases need a tag", 9, {
  lesson: TAG,
  when: { commands: ["npm publish"] },
});

let shop: Project;
beforeEach(async () => {
  shop = await testRepository({
    "src/deep/code.ts": "",
    ".context/memory_log.jsonl": toFile([LESSON]),
  });
  await shop.install();
  await trustProject(shop);
  for (const command of [
    ["marketplace", "add", resolve(".")],
    ["add", "sentinel-memory@sentinel-memory"],
  ]) {
    expect(await runAgent("codex", ["plugin", ...command], shop)).toMatchObject({ exit: 0 });
  }
});

const shell = (cmd: string): Say => ({ tool: "exec_command", input: { cmd } });
const turn = (script: readonly Say[], below = ".") =>
  codexTurn(shop, script, below, { args: ["--dangerously-bypass-hook-trust"], prompt: "Go" });
/** How often each request holds the lesson. */
const timesIn = (asked: readonly string[]) => asked.map((request) => request.split(TAG).length - 1);

/** The tools of a server stand behind its name. */
const SEARCH: Say = {
  tool: "search_memory",
  namespace: "mcp__sentinel_memory",
  input: { query: "prerelease" },
};

describe("the plugin in Codex", () => {
  it("is listed from the marketplace that is meant for Codex, and can be removed", async () => {
    const list = async () => (await runAgent("codex", ["plugin", "list"], shop)).stdout;
    expect(await list()).toMatch(
      /\.agents\/plugins\/marketplace\.json[\s\S]*sentinel-memory@sentinel-memory +installed/,
    );
    await runAgent("codex", ["plugin", "remove", "sentinel-memory@sentinel-memory"], shop);
    expect(await list()).toMatch(/sentinel-memory@sentinel-memory +not installed/);
  });

  it.each([".", "src/deep"])(
    "started in %s, brings the server, its tools and the skill, without init",
    async (below) => {
      const asked = await turn([SEARCH, "Done."], below);
      expect(asked[0]).toContain("sentinel-memory:project-memory: How to use the project's memory");
      expect(asked[1]).toContain("Prereleases need a tag");
    },
  );

  it.each([
    ["alone", undefined],
    ["beside the entries of init", ["init", "--agents", "codex"]],
    ["beside a copy of the server in the repository", ["init", "--vendor", "--agents", "codex"]],
  ])("%s, gives a lesson before the call that it names, once", async (_, command) => {
    if (command) {
      await shop.sentinel(command);
    }
    expect(timesIn(await turn([shell("npm publish --dry-run"), SEARCH, "Done."]))).toEqual([
      0, 1, 2,
    ]);
  });

  it("leaves the server to a repository that has a copy of it, and no dependency", async () => {
    await shop.sentinel(["init", "--vendor", "--agents", "codex"]);
    await rm(shop.path("node_modules"), { recursive: true });
    expect(timesIn(await turn([shell("npm publish --dry-run"), SEARCH, "Done."]))).toEqual([
      0, 1, 2,
    ]);
  });
});
