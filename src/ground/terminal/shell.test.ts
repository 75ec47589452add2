import { delimiter } from "node:path";
import { describe, expect, it } from "vitest";
import { ownCommand, pasteable, quoted } from "./shell.ts";

const SOMEWHERE = {
  cwd: "/home/ann/shop",
  path: ["/usr/bin", "/opt/node/bin"].join(delimiter),
  project: undefined,
};
const OF_THE_PROJECT = "/home/ann/shop/node_modules/.bin/sentinel-memory";

describe("the program, as it can be pasted", () => {
  it.each([
    ["of a project", OF_THE_PROJECT, {}, "node_modules/.bin/sentinel-memory"],
    [
      "in a subfolder",
      OF_THE_PROJECT,
      { cwd: "/home/ann/shop/src" },
      "../node_modules/.bin/sentinel-memory",
    ],
    [
      "started by npm",
      OF_THE_PROJECT,
      { path: "/home/ann/shop/node_modules/.bin" },
      "node_modules/.bin/sentinel-memory",
    ],
    ["installed for all projects", "/opt/node/bin/sentinel-memory", {}, "sentinel-memory"],
    [
      "that is not in the path",
      "/home/ann/shop/sentinel-memory",
      { path: undefined },
      "./sentinel-memory",
    ],
    ["of a build", "/home/ann/sentinel/dist/cli.mjs", {}, "node ../sentinel/dist/cli.mjs"],
    [
      "for another folder",
      "/opt/node/bin/sentinel-memory",
      { project: "my api" },
      'sentinel-memory --project "my api"',
    ],
  ])("%s", (_, script, more, expected) => {
    expect(ownCommand({ ...SOMEWHERE, script, ...more })).toBe(expected);
  });
});

it("only calls of our own commands are spelt otherwise", () => {
  const text =
    "sentinel-memory init; `sentinel-memory compact` shows it; the package file of sentinel-memory it needs";
  expect(pasteable(text, "bin/x", ["init", "compact"])).toBe(
    "bin/x init; `bin/x compact` shows it; the package file of sentinel-memory it needs",
  );
});

it("a word that a shell would divide is quoted", () => {
  expect([".context/a.jsonl", "my folder", "packages/[api]"].map(quoted)).toEqual([
    ".context/a.jsonl",
    '"my folder"',
    '"packages/[api]"',
  ]);
});
