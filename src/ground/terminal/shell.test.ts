import { mkdir, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { describe, expect, it } from "vitest";
import { testFolder } from "../../../test/support/in-test.ts";
import { quoted } from "../files/paths.ts";
import { ownCommand, spellCommands } from "./shell.ts";

const SHOP = "/home/ann/shop";
const SOMEWHERE = {
  cwd: SHOP,
  path: ["/usr/bin", "/opt/none/bin"].join(delimiter),
};

describe("the program, as this user can run it", () => {
  it.each([
    ["a dependency", `${SHOP}/node_modules/.bin/sentinel-memory`, {}, "npx sentinel-memory"],
    [
      "a dependency of a folder above",
      `${SHOP}/node_modules/sentinel-memory/dist/server/sentinel-memory.cjs`,
      { cwd: `${SHOP}/src` },
      "npx sentinel-memory",
    ],
    [
      "a dependency that pnpm keeps elsewhere",
      `${SHOP}/node_modules/.pnpm/sentinel-memory@1/node_modules/sentinel-memory/dist/cli.mjs`,
      {},
      "npx sentinel-memory",
    ],
    [
      "a dependency of another project",
      "/home/ann/shop-old/node_modules/.bin/sentinel-memory",
      {},
      "../shop-old/node_modules/.bin/sentinel-memory",
    ],
    ["the project's copy", `${SHOP}/.context/server/sentinel-memory.cjs`, {}, ".context/server/sm"],
    [
      "the project's copy, from a subfolder",
      `${SHOP}/.context/server/sentinel-memory.cjs`,
      { cwd: `${SHOP}/src` },
      "../.context/server/sm",
    ],
    [
      "the project's copy, from its own folder",
      `${SHOP}/.context/server/sentinel-memory.cjs`,
      { cwd: `${SHOP}/.context/server` },
      "./sm",
    ],
    [
      "a link that is not on the path",
      `${SHOP}/sentinel-memory`,
      { path: undefined },
      "./sentinel-memory",
    ],
    ["a build", "/home/ann/sentinel/dist/cli.mjs", {}, "node ../sentinel/dist/cli.mjs"],
    [
      "a copy for another folder",
      `${SHOP}/.context/server/sentinel-memory.cjs`,
      { project: "my api" },
      '.context/server/sm --project "my api"',
    ],
  ])("%s", (_, script, more, expected) => {
    expect(ownCommand({ ...SOMEWHERE, script, ...more })).toBe(expected);
  });

  it("installed for all projects", async () => {
    const folder = join(testFolder(), "bin");
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, "sentinel-memory"), "");
    const script = join(folder, "sentinel-memory");
    expect(ownCommand({ ...SOMEWHERE, script, path: folder })).toBe("sentinel-memory");
  });
});

it("only calls of our own commands are spelt otherwise", () => {
  const text =
    "sentinel-memory init; `sentinel-memory compact` shows it; node_modules/.bin/sentinel-memory init; the package file of sentinel-memory it needs";
  const script = `${SHOP}/.context/server/sentinel-memory.cjs`;
  expect(spellCommands(text, { ...SOMEWHERE, script })).toBe(
    ".context/server/sm init; `.context/server/sm compact` shows it; node_modules/.bin/sentinel-memory init; the package file of sentinel-memory it needs",
  );
  const dependency = { ...SOMEWHERE, script: `${SHOP}/node_modules/.bin/sentinel-memory` };
  const once = spellCommands("sentinel-memory init", dependency);
  expect([once, spellCommands(once, dependency)]).toEqual(
    Array(2).fill("npx sentinel-memory init"),
  );
});

it("a word that a shell would divide is quoted", () => {
  expect([".context/a.jsonl", "my folder", "packages/[api]"].map(quoted)).toEqual([
    ".context/a.jsonl",
    '"my folder"',
    '"packages/[api]"',
  ]);
});
