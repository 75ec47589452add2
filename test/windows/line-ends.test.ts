/** A clone as git for Windows makes it: texts get CRLF at a checkout, and lose it at a commit. Git does the same here when it is told to. */
import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { askServer, TOOLS } from "../setup/ask-server.ts";
import { testRepository } from "../support/in-test.ts";
import { log, toFile } from "../support/lines.ts";

const AGENTS = "cursor,claude,codex,vscode,gemini,opencode";
const MEMORY = ".context/memory_log.jsonl";

it("all that was written is as before in a clone with the line ends of Windows, and what it commits has none", async () => {
  const here = await testRepository({
    "CLAUDE.md": "# Ours\n",
    "AGENTS.md": "# Agents\n",
    [MEMORY]: toFile([log()]),
  });
  await here.sentinel(["init", "--agents", AGENTS]);
  await here.sentinel(["digest", "on"]);
  await here.commit("init");
  const clone = await here.clone("-c", "core.autocrlf=true");

  const lone = (text: string) => text.replaceAll("\r\n", "").includes("\n");
  for (const path of [
    "CLAUDE.md",
    "AGENTS.md",
    ".mcp.json",
    ".codex/config.toml",
    ".cursor/hooks.json",
  ]) {
    expect(await clone.read(path), path).toContain("\r\n");
    expect(lone(await clone.read(path)), path).toBe(false);
  }
  for (const name of readdirSync(here.path(".context/server"))) {
    const [one, other] = [here, clone].map((place) =>
      readFileSync(place.path(`.context/server/${name}`)),
    );
    expect(one?.equals(other ?? Buffer.of()), name).toBe(true);
  }
  expect(await clone.memory()).toBe(await here.memory());

  expect((await clone.sentinel(["init", "--agents", AGENTS])).stdout).toContain(
    "Nothing to change.",
  );
  expect((await clone.sentinel(["digest"])).stdout).toContain("as before");
  expect(await clone.sentinel(["check", "--strict"])).toMatchObject({ exit: 0 });
  const entry = JSON.parse(await clone.read(".mcp.json")).mcpServers["sentinel-memory"];
  expect(await askServer(entry, clone.place())).toMatchObject({
    tools: TOOLS,
    answer: expect.stringContaining(log().lesson),
  });

  await clone.run(
    "add",
    "--topic",
    "vat",
    "--missing",
    "VAT differs by country",
    "--lesson",
    "Read the rate table",
  );
  expect(await clone.memory()).not.toContain("\r");
  await clone.commit("a lesson");
  expect((await clone.git("diff", "--name-only", "HEAD~1")).trim()).toBe(MEMORY);
});
