/** Lessons at the action, in the real agents: a model that says what a story wrote down, and what the next request then holds. */
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { testRepository } from "../support/in-test.ts";
import { logLine, toFile } from "../support/lines.ts";
import type { Project } from "../support/project.ts";
import { approveServer, installAgents } from "./agents.ts";
import type { Say } from "./fake-model.ts";
import { claudeTurn } from "./turns.ts";

beforeAll(installAgents, 900_000);

let shop: Project;
beforeEach(async () => {
  shop = await testRepository({ "src/vat.ts": "export const vat = 24;\n" });
  await shop.install();
  await shop.sentinel(["init", "--agents", "claude,codex,gemini,opencode"]);
  await approveServer(shop);
  await shop.commit("init");
});

const bash = (command: string): Say => ({ tool: "Bash", input: { command, description: "x" } });
const TAG = "Publish prereleases with --tag next";

/** A memory of this one lesson. */
const remember = (when: object) =>
  shop.write(
    ".context/memory_log.jsonl",
    toFile([logLine("release", "Prereleases need a tag", 9, { lesson: TAG, when })]),
  );

/** How often each request holds the lesson. */
const timesIn = (asked: readonly string[]) => asked.map((request) => request.split(TAG).length - 1);

describe("in Claude Code", () => {
  it("a lesson with a command stands beside the first such call, once in a session", async () => {
    await remember({ commands: ["npm publish"] });
    const calls = [bash("cd src && npm publish --dry-run"), bash("npm publish --dry-run"), "Done."];
    const asked = await claudeTurn(shop, calls, ".", { args: ["Bash"], prompt: "Go" });
    expect(timesIn(asked)).toEqual([1, 2, 2]);
    expect(asked[1]).toContain("A lesson of this project for this command.");
  });
});
