/**
 * Agents without a clone: each with the entry that docs/daemon-api.md has for it, a whole turn over HTTP with a token, to a daemon on a PostgreSQL
 * that the tests start. What one records, the next one gets.
 */
import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { all } from "../contracts/event-store.ts";
import { storeAt } from "../support/daemon.ts";
import { operatorOf } from "../support/daemon-process.ts";
import { testProject } from "../support/in-test.ts";
import { postgresOfFile } from "../support/postgres.ts";
import type { Project } from "../support/project.ts";
import { approveServer, installAgents } from "./agents.ts";
import type { Say } from "./fake-model.ts";
import { CALLS, claudeTurn, codexTurn, opencodeTurn } from "./turns.ts";

beforeAll(installAgents, 900_000);

const postgres = postgresOfFile();
const MESSAGE = {
  kind: "message",
  content: { text: "Norway rounds VAT to whole kroner." },
  channel: "team",
};
const QUESTION = { query: "how does Norway round VAT" };

async function served() {
  const operator = await operatorOf(postgres(), "acme");
  const { url } = await operator.serve();
  const token = await operator.token("ann");
  return { url, token, store: storeAt(url, token) };
}

/** What the page tells people to write into a file, for this daemon. */
function entryFor(file: string, url: string): string {
  const page = readFileSync("docs/daemon-api.md", "utf8");
  const at = page.indexOf(`\`${file}\``);
  const [, entry = ""] = /```\w*\n([\s\S]*?)```/.exec(page.slice(at)) ?? [];
  expect(entry).toContain("https://memory.example.com/mcp");
  return entry.replace("https://memory.example.com", url);
}

/** A folder without git, whose agent has an entry. */
async function configured(file: string, url: string): Promise<Project> {
  const project = await testProject();
  await project.write(file, entryFor(file, url));
  return project;
}

const TURNS = {
  "claude-code": async (url: string, script: readonly Say[], token: string) => {
    const project = await configured(".mcp.json", url);
    await approveServer(project);
    return claudeTurn(project, script, ".", { env: { SENTINEL_TOKEN: token } });
  },
  codex: async (url: string, script: readonly Say[], token: string) => {
    const project = await configured("~/.codex/config.toml", url);
    const args = ["--skip-git-repo-check"];
    return codexTurn(project, script, ".", { env: { SENTINEL_TOKEN: token }, args });
  },
  opencode: async (url: string, script: readonly Say[], token: string) => {
    const project = await configured("opencode.json", url);
    return opencodeTurn(project, script, ".", { env: { SENTINEL_TOKEN: token } });
  },
};
/** Codex lists no tools of servers: its model searches for them. */
const LOOKS_FOR_TOOLS = "tool_search";

describe.each(["claude-code", "codex", "opencode"] as const)(
  "%s over HTTP with a token",
  (agent) => {
    it("has the tools, records, gets what was recorded, and is known by its name", async () => {
      const { url, token, store } = await served();
      const call = CALLS[agent];
      const script = [call("record_event", MESSAGE), call("build_acb", QUESTION), "Done."];
      const asked = await TURNS[agent](url, script, token);
      expect(asked[0]).toContain(agent === "codex" ? LOOKS_FOR_TOOLS : "build_acb");
      expect(asked[1]).toMatch(/evt_/);
      expect(asked[2]?.replace(asked[1] ?? "", "")).toContain(
        "Missing, because the daemon doesn't have it",
      );
      const events = await all(store);
      expect(events.map(({ content, agent: by, channel }) => [content.text, by, channel])).toEqual([
        [MESSAGE.content.text, agent, "team"],
      ]);
    });

    it("has no tools with a token that is not in use, and its turn goes on", async () => {
      const { url, store } = await served();
      const script = [CALLS[agent]("record_event", MESSAGE), "Done."];
      const asked = await TURNS[agent](url, script, `sentinel_0123456789abcdef_${"x".repeat(43)}`);
      expect(asked).toHaveLength(2);
      expect(asked[0]).not.toContain("build_acb");
      expect(await all(store)).toEqual([]);
    });
  },
);
