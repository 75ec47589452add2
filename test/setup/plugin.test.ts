import { existsSync, readdirSync, readFileSync } from "node:fs";
import { mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { pluginFiles } from "../../scripts/plugin-files.ts";
import { testRepository } from "../support/in-test.ts";
import { log } from "../support/lines.ts";
import type { Project } from "../support/project.ts";
import { runProcess } from "../support/run-process.ts";

it("the plugin is what its sources make (npm run generate writes it)", () => {
  const names = readdirSync("plugin", { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).replaceAll("\\", "/"));
  const paths = [...names, ".claude-plugin/marketplace.json", ".agents/plugins/marketplace.json"];
  expect(Object.fromEntries(paths.map((path) => [path, readFileSync(path, "utf8")]))).toEqual(
    pluginFiles(),
  );
});

const setUps: Record<string, (project: Project) => Promise<unknown>> = {
  init: (project) => project.sentinel(["init", "--agents", "claude"]),
  "npm install and init": async (project) => {
    await project.install();
    // As npm links the programs of a package.
    await mkdir(project.path("node_modules/.bin"));
    await symlink(
      "../sentinel-memory/dist/cli.mjs",
      project.path("node_modules/.bin/sentinel-memory"),
    );
    await project.sentinel(["init", "--agents", "claude"]);
  },
};

it.each(Object.keys(setUps))(
  "its command that forgets works as it is written after %s",
  async (name) => {
    const project = await testRepository({
      ".context/memory_log.jsonl": `${JSON.stringify(log())}\n`,
    });
    await setUps[name]?.(project);
    const text = readFileSync("plugin/commands/forget.md", "utf8");
    const [, file = "", rest = ""] = /^node (\S+) (forget ID .*)$/m.exec(text) ?? [];
    const [, instead = ""] =
      /Where that file is missing, begin with `(\S+) forget`/.exec(text) ?? [];
    const args = rest.replace("ID", log().id).replaceAll('"', "").split(" ");
    const [program, ...before] = existsSync(project.path(file))
      ? [process.execPath, file]
      : [project.path(instead)];
    const { exit, stdout } = await runProcess(program, [...before, ...args], project.place());
    expect([exit, stdout]).toEqual([0, expect.stringContaining("Forgotten: ")]);
  },
);
