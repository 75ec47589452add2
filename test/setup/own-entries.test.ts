/** The entries of this repository, for those who work on it with an agent: they start what is built here. */
import { readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { resolve } from "node:path";
import { expect, it } from "vitest";
import { askServer, TOOLS } from "./ask-server.ts";

const env = { PATH: process.env.PATH ?? "", HOME: tmpdir() };

it("the entry for Claude Code starts the server from a subfolder, with the line that init writes", async () => {
  const { memory, tools } = await askServer(ownEntry(".mcp.json"), {
    cwd: resolve("src/app/setup"),
    env,
  });
  expect(tools).toEqual(TOOLS);
  expect(memory).toBe(resolve(".context/memory_log.jsonl"));
  expect(ownEntry(".mcp.json").args).toEqual(["-e", "import('sentinel-memory/cli')"]);
});

it("the entry for Cursor starts it in the home folder, with the workspace filled in", async () => {
  const { command, args } = ownEntry(".cursor/mcp.json");
  const expanded = args.map((arg) => arg.replaceAll("${workspaceFolder}", () => resolve(".")));
  const { memory } = await askServer({ command, args: expanded }, { cwd: tmpdir(), env });
  expect(memory).toBe(resolve(".context/memory_log.jsonl"));
});

function ownEntry(path: string): { command: string; args: string[] } {
  return JSON.parse(readFileSync(path, "utf8")).mcpServers["sentinel-memory"];
}
