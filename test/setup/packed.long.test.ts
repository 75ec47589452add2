/** The package as it is released and installed, which takes npm its time. */
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, readFileSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, it } from "vitest";
import { packRelease } from "../../scripts/release-package.ts";
import { testFolder, testProject, testRepository } from "../support/in-test.ts";
import { runProcess } from "../support/run-process.ts";
import { askServer, TOOLS } from "./ask-server.ts";

it("a clone starts the server from the package file in the repository, with scripts ignored", async () => {
  const repository = await testRepository({ "src/code.ts": "", "vendor/.gitkeep": "" });
  const file = packRelease(repository.path("vendor"));
  const dependency = `file:${file.slice(repository.folder.length + 1)}`;
  await repository.write(
    "package.json",
    JSON.stringify({ devDependencies: { "sentinel-memory": dependency } }),
  );
  await repository.sentinel(["init", "--agents", "claude"]);
  await repository.commit("init");
  const clone = await repository.clone();
  const place = { cwd: clone.folder, env: clone.env };
  const installed = await runProcess(
    "npm",
    ["install", "--offline", "--no-audit", "--ignore-scripts"],
    place,
  );
  expect(installed).toMatchObject({
    exit: 0,
    stderr: expect.not.stringContaining("sentinel-memory"),
  });
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

it("npx runs the package file in a folder that has nothing, and starts what the registry's entry says", async () => {
  const project = await testProject();
  const file = packRelease(testFolder());
  const npx = ["--yes", "--offline", "--package", file, "sentinel-memory"];
  const set = await runProcess("npx", [...npx, "init", "--agents", "claude"], project.place());
  expect(set).toMatchObject({ exit: 0, stdout: expect.stringMatching(/^\.mcp\.json +created/m) });
  const [{ packageArguments }] = JSON.parse(readFileSync("server.json", "utf8")).packages;
  const named = packageArguments.flatMap(({ name }: { name: string }) => [name, project.folder]);
  const elsewhere = { cwd: project.home, env: project.env };
  const { tools, memory } = await askServer(
    { command: "npx", args: [...npx, ...named] },
    elsewhere,
  );
  expect([tools, memory]).toEqual([TOOLS, project.file]);
});

it("the same sources make the same package file, to the byte, in another folder and at another time", () => {
  const [other, one, two] = [testFolder(), testFolder(), testFolder()];
  const sources = execFileSync(
    "git",
    ["ls-files", "-z", "--cached", "--others", "--exclude-standard"],
    {
      encoding: "utf8",
    },
  );
  for (const path of sources.split("\0").filter((name) => existsSync(name) && name !== "")) {
    cpSync(path, join(other, path));
  }
  symlinkSync(resolve("node_modules"), join(other, "node_modules"), "junction");
  execFileSync(process.execPath, ["--import", "tsx", "scripts/build.ts"], { cwd: other });
  const [here, there] = [packRelease(one), packRelease(two, other)].map((file) =>
    readFileSync(file),
  );
  expect(here?.equals(there ?? Buffer.of())).toBe(true);
});
