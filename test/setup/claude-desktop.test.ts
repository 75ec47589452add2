/** The entry that the page of Claude Desktop shows, started as that app starts it: from a folder of the system, with little environment. */
import { readFileSync } from "node:fs";
import { parse } from "node:path";
import { expect, it } from "vitest";
import { testRepository } from "../support/in-test.ts";
import { askServer, callServer, TOOLS } from "./ask-server.ts";

const [, block = ""] =
  /^```json\n([\s\S]*?)^```/m.exec(readFileSync("docs/claude-desktop.md", "utf8")) ?? [];
const shown = JSON.parse(block).mcpServers["sentinel-memory"];

it("starts the server of the project that the page's entry names, from any folder", async () => {
  const project = await testRepository();
  await project.sentinel(["init", "--agents", "claude"]);
  const args = shown.args.map((arg: string) =>
    arg.replace("/path/to/your-project", () => project.folder),
  );
  const entry = { command: shown.command, args };
  const place = {
    cwd: parse(project.folder).root,
    env: { PATH: project.env.PATH ?? "", HOME: project.home },
  };
  expect((await askServer(entry, place)).tools).toEqual(TOOLS);
  const lesson = {
    topic: "vat",
    missing_context: "VAT differs by country",
    lesson: "Read the rate table first",
  };
  expect(await callServer(entry, place, "log_memory", lesson)).toContain("Saved new lesson");
  expect(await project.memory()).toContain("Read the rate table first");
});
