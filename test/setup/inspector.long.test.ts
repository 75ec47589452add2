/**
 * The official inspector on the files that init wrote. Version 1 in its small form: it takes each entry's command and
 * arguments, knows no `cwd`, and passes `${workspaceFolder}` on as it stands; `test/clients/` has the large version 2.
 */
import { createRequire } from "node:module";
import { beforeEach, describe, expect, it } from "vitest";
import { testRepository } from "../support/in-test.ts";
import type { Project } from "../support/project.ts";
import { runProcess } from "../support/run-process.ts";
import { TOOLS } from "./ask-server.ts";

const INSPECTOR = createRequire(import.meta.url).resolve("@modelcontextprotocol/inspector-cli");
const GAP = [
  "topic=billing",
  "missing_context=VAT differs by country",
  "lesson=Read the rate table first",
];

let repository: Project;
beforeEach(async () => {
  repository = await testRepository();
  await repository.install();
  await repository.sentinel(["init", "--agents", "cursor,claude"]);
  // The inspector looks for its own description, before it starts, by a path that it takes from the working directory.
  await repository.write("../package.json", "{}");
});

async function inspect(config: string, method: string, ...more: string[]): Promise<string> {
  const from = ["--cli", "--config", config, "--server", "sentinel-memory", "--method", method];
  const place = { cwd: repository.folder, env: repository.env };
  const { exit, stdout, stderr } = await runProcess(
    process.execPath,
    [INSPECTOR, ...from, ...more],
    place,
  );
  expect({ exit, stderr }).toMatchObject({ exit: 0 });
  return stdout;
}

const called = (name: string, args: string[]) => [
  "--tool-name",
  name,
  ...args.flatMap((arg) => ["--tool-arg", arg]),
];

describe("the inspector", () => {
  it.each([".cursor/mcp.json", ".mcp.json"])("lists, logs and searches with %s", async (config) => {
    const { tools } = JSON.parse(await inspect(config, "tools/list"));
    expect(tools.map(({ name }: { name: string }) => name).sort()).toEqual(TOOLS);
    expect(await inspect(config, "tools/call", ...called("log_memory", GAP))).toContain(
      "Saved new lesson",
    );
    expect(
      await inspect(config, "tools/call", ...called("search_memory", ["query=VAT"])),
    ).toContain("rate table");
    expect(await repository.read(".context/memory_log.jsonl")).toContain('"topic":"billing"');
  });
});
