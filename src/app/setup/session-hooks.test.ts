/** The folders in which a session log has hooks. */
import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { testFolder } from "../../../test/support/in-test.ts";
import { addSessionHooks, removeSessionHooks } from "./session-hooks.ts";

it("hooks in a folder that an earlier build noted are removed", async () => {
  const place = testFolder();
  const [logFolder, folder] = [join(place, "log"), join(place, "shop")];
  await mkdir(logFolder);
  await mkdir(folder);
  await addSessionHooks(logFolder, folder, { build: "build", env: { HOME: place } });
  const list = join(logFolder, "hooks.json");
  const [noted] = JSON.parse(await readFile(list, "utf8"));
  await writeFile(list, JSON.stringify({ [noted]: [] }));
  const hooks = join(folder, ".claude/settings.local.json");
  expect(existsSync(hooks)).toBe(true);
  await removeSessionHooks(logFolder);
  expect(existsSync(hooks)).toBe(false);
  expect(await readFile(list, "utf8")).toBe("[]\n");
});
