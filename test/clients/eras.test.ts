/** Who speaks which era of the protocol over which transport: the clients of the SDKs, and the real agents. Each calls a tool. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { all } from "../contracts/event-store.ts";
import { testFolder, testProject, testRepository } from "../support/in-test.ts";
import { log } from "../support/lines.ts";
import { mcpOverHttp } from "../support/mcp-over-http.ts";
import { MODERN, VERSION } from "../support/modern.ts";
import { BIN, type Project } from "../support/project.ts";
import { UNHURRIED } from "../support/unhurried.ts";
import { approveServer, installAgents, runAgent } from "./agents.ts";
import type { Say } from "./fake-model.ts";
import { SDK_CLIENTS, sdkClient } from "./sdk-clients.ts";
import { CALLS, claudeTurn, codexTurn, geminiTurn, opencodeTurn } from "./turns.ts";

beforeAll(installAgents, 900_000);

const MESSAGE = { kind: "message", content: { text: "Norway rounds VAT to whole kroner." } };
const LESSON = {
  topic: "billing",
  missing_context: "VAT differs by country",
  lesson: "Read the rate table first",
};

describe.each(Object.keys(SDK_CLIENTS) as (keyof typeof SDK_CLIENTS)[])(
  "the client of the SDK %s",
  (name) => {
    const era = name === "1.x" ? undefined : name === "2.x in the era before" ? "legacy" : "modern";

    it("works over standard input and output", async () => {
      const { folder, env } = await testProject({ git: true, lines: [log({ topic: "payment" })] });
      const client = await sdkClient(name, {
        args: [BIN],
        cwd: folder,
        env: { ...env, ...UNHURRIED },
      });
      expect(client.getProtocolEra?.()).toBe(era);
      expect(client.getServerVersion()).toMatchObject({ name: "sentinel-memory" });
      expect(client.getInstructions()).toContain("payment");
      expect((await client.listTools()).tools.map((tool) => tool.name)).toEqual([
        "search_memory",
        "log_memory",
        "compact_memory",
      ]);
      expect((await client.listPrompts()).prompts).toHaveLength(3);
      const { content } = await client.callTool({
        name: "search_memory",
        arguments: { query: "payment" },
      });
      expect(content[0]?.text).toContain("payment");
      expect(await client.callTool({ name: "log_memory", arguments: {} })).toMatchObject({
        isError: true,
      });
    });

    it("works over HTTP", async () => {
      const { url, store, versions } = await mcpOverHttp();
      const client = await sdkClient(name, { url });
      expect(client.getProtocolEra?.()).toBe(era);
      expect(client.getServerVersion()).toMatchObject({ name: "sentinel-memory" });
      expect(client.getInstructions()).toContain("build_acb");
      expect((await client.listTools()).tools.map((tool) => tool.name)).toContain("record_event");
      await client.callTool({ name: "record_event", arguments: MESSAGE });
      const { content } = await client.callTool({
        name: "build_acb",
        arguments: { query: "how does Norway round VAT" },
      });
      expect(content[0]?.text).toContain(MESSAGE.content.text);
      expect(await all(store)).toHaveLength(1);
      expect(versions.has(MODERN)).toBe(era === "modern");
    });
  },
);

/** Between a client and a server: keeps what the client says. */
const LISTENER = `const [file, ...command] = process.argv.slice(2);
const server = require("node:child_process").spawn(process.execPath, command, { stdio: ["pipe", "inherit", "inherit"] });
process.stdin.on("data", (part) => (require("node:fs").appendFileSync(file, part), server.stdin.write(part)));
process.stdin.on("end", () => server.stdin.end());
server.on("exit", (code) => process.exit(code ?? 1));
`;

/** The entry of a server where each agent looks for it. */
const ENTRIES = {
  "claude-code": (entry: object) => [
    ".mcp.json",
    JSON.stringify({ mcpServers: { "sentinel-memory": entry } }),
  ],
  codex: (entry: object) => [
    "~/.codex/config.toml",
    [
      "[mcp_servers.sentinel-memory]",
      ...Object.entries(entry).map(([key, value]) => `${key} = ${JSON.stringify(value)}`),
      "",
    ].join("\n"),
  ],
  gemini: ({ url, ...entry }: { url?: string }) => [
    ".gemini/settings.json",
    JSON.stringify({ mcpServers: { "sentinel-memory": url ? { httpUrl: url } : entry } }),
  ],
  opencode: ({ command, args = [] }: { command?: string; args?: readonly string[] }) => [
    "opencode.json",
    JSON.stringify({
      mcp: { "sentinel-memory": { type: "local", command: [command, ...args] } },
    }),
  ],
} as const;
type Agent = keyof typeof ENTRIES;

const TURNS = {
  "claude-code": claudeTurn,
  codex: (project: Project, script: readonly Say[]) =>
    codexTurn(project, script, ".", { args: ["--skip-git-repo-check"] }),
  gemini: geminiTurn,
  opencode: opencodeTurn,
};

/** A project whose agent has an entry. */
async function configured(agent: Agent, entry: object): Promise<Project> {
  const project = await testRepository();
  const [file = "", text = ""] = ENTRIES[agent](entry);
  await project.write(file, text);
  if (agent === "claude-code") {
    await approveServer(project);
  }
  return project;
}

/** An entry of the server behind a listener, and the eras of what that heard. */
function listenedTo() {
  const [listener, heard] = [join(testFolder(), "listener.cjs"), join(testFolder(), "heard.jsonl")];
  writeFileSync(listener, LISTENER);
  const eras = () => {
    const messages = readFileSync(heard, "utf8").trim().split("\n");
    const isModern = (line: string) => VERSION in Object(JSON.parse(line).params?._meta);
    return new Set(messages.map((line) => (isModern(line) ? "modern" : "legacy")));
  };
  return { entry: { command: process.execPath, args: [listener, heard, BIN] }, eras };
}

/** None of those that are pinned here asks for the new era; one that does is a line in the table of its era. */
describe.each(["claude-code", "codex", "gemini", "opencode"] as const)(
  "%s, in the era before",
  (agent) => {
    it("works over standard input and output", async () => {
      const { entry, eras } = listenedTo();
      const project = await configured(agent, entry);
      const asked = await TURNS[agent](project, [CALLS[agent]("log_memory", LESSON), "Done."]);
      expect(asked[1]).toContain("Saved new lesson");
      expect(asked[1], "what results carry for programs").not.toContain("sentinel-memory/memory");
      expect(eras()).toEqual(new Set(["legacy"]));
      expect(await project.read(".context/memory_log.jsonl")).toContain(LESSON.lesson);
    });
  },
);

/** The others are in over-http.test.ts. Gemini CLI says neither in its calls nor in its headers what it is. */
it("gemini, in the era before, works over HTTP", async () => {
  const { url, store, versions } = await mcpOverHttp();
  const project = await configured("gemini", { type: "http", url });
  await geminiTurn(project, [CALLS.gemini("record_event", MESSAGE), "Done."]);
  expect(versions).not.toContain(MODERN);
  expect((await all(store)).map((event) => [event.content.text, event.agent])).toEqual([
    [MESSAGE.content.text, "node"],
  ]);
});

describe.each(["legacy", "auto", "modern"] as const)("the inspector, asked for %s", (mode) => {
  const era = mode === "legacy" ? "legacy" : "modern";
  const inspect = async (project: Project, to: readonly string[], name: string, args: object) => {
    const given = Object.entries(args).flatMap(([key, value]) => [
      "--tool-arg",
      `${key}=${asText(value)}`,
    ]);
    const call = ["--method", "tools/call", "--tool-name", name, ...given];
    return runAgent("mcp-inspector", ["--cli", ...to, "--protocol-era", mode, ...call], project);
  };
  const asText = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value));

  it("works over standard input and output", async () => {
    const { entry, eras } = listenedTo();
    const project = await configured("claude-code", entry);
    const to = ["--config", project.path(".mcp.json"), "--server", "sentinel-memory"];
    expect(await inspect(project, to, "log_memory", LESSON)).toMatchObject({ exit: 0 });
    expect(eras()).toEqual(new Set([era]));
    expect(await project.read(".context/memory_log.jsonl")).toContain(LESSON.lesson);
  });

  it("works over HTTP", async () => {
    const { url, store, versions } = await mcpOverHttp();
    expect(
      await inspect(await testRepository(), [url, "--transport", "http"], "record_event", MESSAGE),
    ).toMatchObject({
      exit: 0,
    });
    expect(versions.has(MODERN)).toBe(era === "modern");
    expect((await all(store)).map(({ content }) => content.text)).toEqual([MESSAGE.content.text]);
  });
});
