/** The entries that the page of Claude Desktop shows, started as that app starts them: from a folder of the system, with little environment. */
import { readFileSync } from "node:fs";
import { parse, win32 } from "node:path";
import { expect, it } from "vitest";
import { testRepository } from "../support/in-test.ts";
import { askServer, callServer, TOOLS } from "./ask-server.ts";

const blocks = [
  ...readFileSync("docs/claude-desktop.md", "utf8").matchAll(/^```json\n([\s\S]*?)^```/gm),
];
const [posix, windows] = blocks.map(
  ([, text = ""]) => JSON.parse(text).mcpServers["sentinel-memory"],
);

it("starts the server of the project that the page's entry names, from any folder", async () => {
  const project = await testRepository();
  await project.sentinel(["init", "--agents", "claude"]);
  const args = posix.args.map((arg: string) =>
    arg.replace("/path/to/your-project", () => project.folder),
  );
  const entry = { command: posix.command, args };
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

it("shows the same entry for Windows, with a path that begins with a drive", () => {
  const [root = "", folder = ""] = ["C:\\", "C:\\Users\\you\\your-project"];
  expect(
    windows.args
      .filter((arg: string) => win32.isAbsolute(arg))
      .every((arg: string) => arg.startsWith(root)),
  ).toBe(true);
  const asPosix = windows.args.map((arg: string) =>
    arg.replace(folder, "/path/to/your-project").replaceAll(win32.sep, "/"),
  );
  expect({ ...windows, args: asPosix }).toEqual(posix);
});
