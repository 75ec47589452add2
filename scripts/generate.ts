/** Writes the files that are made from the source: a test fails when one of them is not current. */
import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { rulesEdit } from "../src/app/setup/project-edits.ts";
import { pluginFiles } from "./plugin-files.ts";
import { REGISTRY_FILE, registryEntry } from "./registry-entry.ts";

await rm("plugin", { recursive: true, force: true });
const files = {
  ".cursorrules": rulesEdit(".cursorrules").put(undefined),
  [REGISTRY_FILE]: registryEntry(),
  ...pluginFiles(),
};
for (const [path, text] of Object.entries(files)) {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}
