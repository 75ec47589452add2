/** A server whose package is removed while it runs, as an update does in the middle of a session. */
import { cp, rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { testFolder, testProject } from "../support/in-test.ts";
import { gapsIn } from "./support/memory.ts";
import { BUNDLE, FaultServer } from "./support/server.ts";

it("a package that is removed while its server runs costs the session none of its tools", async () => {
  const project = await testProject();
  const bundle = join(testFolder(), "dist");
  await cp(BUNDLE, bundle, { recursive: true });
  const server = await FaultServer.start(project.folder, { bundle });
  await rm(bundle, { recursive: true });
  await server.mustLog("gap");
  expect(await server.search("gap")).toMatchObject({ code: undefined });
  expect(await server.call("compact_memory", {})).toMatchObject({ code: undefined });
  expect(await gapsIn(project)).toEqual(["gap"]);
});
