import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { pluginFiles } from "../../scripts/plugin-files.ts";

it("the plugin is what its sources make (npm run generate writes it)", () => {
  const names = readdirSync("plugin", { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).replaceAll("\\", "/"));
  const paths = [...names, ".claude-plugin/marketplace.json"];
  expect(Object.fromEntries(paths.map((path) => [path, readFileSync(path, "utf8")]))).toEqual(pluginFiles());
});
