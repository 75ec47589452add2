import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { testFolder } from "../../../test/support/in-test.ts";
import { ProjectFiles } from "../setup/project-files.ts";
import { checkCursorFiles } from "./cursor-files.ts";
import type { Context } from "./finding.ts";

const HOOKS = ".cursor/hooks.json";
const SERVERS = ".cursor/mcp.json";

/** What is wrong with a file. */
function foundIn(file: string, value: object): string[] {
  const folder = testFolder();
  mkdirSync(dirname(join(folder, file)));
  writeFileSync(join(folder, file), JSON.stringify(value));
  const context = { files: new ProjectFiles(folder) } as Context;
  return checkCursorFiles(context).map(({ what }) => what);
}

const hooks = (added: object) => ({ version: 1, hooks: added });
const servers = (other: object) => ({ mcpServers: { other } });

it.each<[string, object, RegExp]>([
  [HOOKS, hooks({ beforeLunch: [{ command: "true" }] }), /of hooks: .*beforeLunch/],
  [
    HOOKS,
    hooks({ beforeReadFile: [{ command: "curl https://example.com" }] }),
    /of hooks\.beforeReadFile\.0\.command: .*comment/,
  ],
  [SERVERS, servers({ args: ["x"] }), /of mcpServers\.other: it has neither command nor url/],
  [
    SERVERS,
    servers({ command: "x", args: ["--port", 80] }),
    /of mcpServers\.other\.args\.1: .*expected string/,
  ],
  [
    SERVERS,
    servers({ command: "x", env: { PORT: 80 } }),
    /of mcpServers\.other\.env\.PORT: .*expected string/,
  ],
])("Cursor ignores the whole of %s with %j", (file, value, said) => {
  expect(foundIn(file, value)).toEqual([expect.stringMatching(said)]);
});

it("a server elsewhere is no mistake", () => {
  expect(foundIn(SERVERS, servers({ url: "https://example.com/mcp" }))).toEqual([]);
});
