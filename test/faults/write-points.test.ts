/** The points at which the other tests kill and stop a writer: every one is really there, in this order. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { testProject } from "../support/in-test.ts";
import { WRITE_POINTS } from "./fault-points.ts";
import { FaultServer } from "./support/server.ts";

it("a write comes by every point, in the order of the list", async () => {
  const { folder } = await testProject();
  const trace = join(folder, "trace");
  const server = await FaultServer.start(folder, { trace });
  await server.mustLog("one");
  expect((await readFile(trace, "utf8")).trim().split("\n")).toEqual([...WRITE_POINTS]);
});
