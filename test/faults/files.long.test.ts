/** A memory file that has grown far beyond what a project needs. */
import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { testProject } from "../support/in-test.ts";
import { logLine } from "../support/lines.ts";
import { readMemory } from "./support/memory.ts";
import { FaultServer } from "./support/server.ts";

it("100,000 lessons: one more is saved, and the others stay byte for byte", async () => {
  const lines = Array.from({ length: 100_000 }, (_, index) =>
    logLine(`topic ${index % 50}`, `gap ${index}`),
  );
  const project = await testProject({ lines: lines });
  const server = await FaultServer.start(project.folder);
  await server.mustLog("one more");
  const after = new Set((await readFile(project.file, "utf8")).split("\n"));
  expect(lines.filter((line) => !after.has(line))).toEqual([]);
  expect((await readMemory(project)).count).toBe(lines.length + 1);
});
