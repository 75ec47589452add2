/** The package as it is released and installed, which takes npm its time. */
import { existsSync } from "node:fs";
import { expect, it } from "vitest";
import { packRelease } from "../../scripts/release-package.ts";
import { testRepository } from "../support/in-test.ts";
import { runProcess } from "../support/run-process.ts";
import { askServer, TOOLS } from "./ask-server.ts";

it("a clone starts the server from the package file in the repository, with scripts ignored", async () => {
  const repository = await testRepository({ "src/code.ts": "", "vendor/.gitkeep": "" });
  const file = packRelease(repository.path("vendor"));
  const dependency = `file:${file.slice(repository.folder.length + 1)}`;
  await repository.write("package.json", JSON.stringify({ devDependencies: { "sentinel-memory": dependency } }));
  await repository.sentinel(["init", "--agents", "claude"]);
  await repository.commit("init");
  const clone = await repository.clone();
  const place = { cwd: clone.folder, env: clone.env };
  const installed = await runProcess("npm", ["install", "--offline", "--no-audit", "--ignore-scripts"], place);
  expect(installed).toMatchObject({ exit: 0, stderr: expect.not.stringContaining("sentinel-memory") });
  const entry = JSON.parse(await clone.read(".mcp.json")).mcpServers["sentinel-memory"];
  expect((await askServer(entry, { cwd: clone.path("src"), env: clone.env })).tools).toEqual(TOOLS);
  const manifest = JSON.parse(await clone.read("node_modules/sentinel-memory/package.json"));
  expect(manifest).not.toHaveProperty("scripts");
  expect(existsSync(clone.path("node_modules/sentinel-memory/docs/team.md"))).toBe(true);
  const vendored = await runProcess(
    "node_modules/.bin/sentinel-memory",
    ["init", "--vendor", "--agents", "claude"],
    place,
  );
  expect(vendored).toMatchObject({ exit: 0 });
});
