/** The package as npm packs and installs it, which takes npm its time. */
import { resolve } from "node:path";
import { expect, it } from "vitest";
import { testRepository } from "../support/in-test.ts";
import { runProcess } from "../support/run-process.ts";
import { askServer, TOOLS } from "./ask-server.ts";

it("a clone starts the server from the packed package, installed as a development dependency", async () => {
  const repository = await testRepository({ "src/code.ts": "" });
  const place = { cwd: resolve("."), env: { ...repository.env, npm_config_ignore_scripts: "true" } };
  const packed = await runProcess("npm", ["pack", "--pack-destination", repository.folder], place);
  const dependency = `file:${packed.stdout.trim().split("\n").at(-1)}`;
  await repository.write("package.json", JSON.stringify({ devDependencies: { "sentinel-memory": dependency } }));
  await repository.sentinel(["init", "--agents", "claude"]);
  await repository.commit("init");
  const clone = await repository.clone();
  await runProcess("npm", ["install", "--offline", "--no-audit"], { cwd: clone.folder, env: clone.env });
  const entry = JSON.parse(await clone.read(".mcp.json")).mcpServers["sentinel-memory"];
  expect((await askServer(entry, { cwd: clone.path("src"), env: clone.env })).tools).toEqual(TOOLS);
});
