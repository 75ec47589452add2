/** Many processes on one file, and many calls in one process. */
import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { testProject } from "../support/in-test.ts";
import { logLine } from "../support/lines.ts";
import { gapsIn, gapsOf, leftoversIn, readMemory } from "./support/memory.ts";
import { FaultServer } from "./support/server.ts";

/** In ms. The quickest waiter gets the lock next, so on a slow machine one of many may wait long. */
const PATIENCE_MS = 60_000;

function start(folder: string, count: number): Promise<FaultServer[]> {
  return Promise.all(
    Array.from({ length: count }, () => FaultServer.start(folder, { patience: PATIENCE_MS })),
  );
}

function times<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

describe("many processes", () => {
  it("8 x 50 calls at once keep 400 of 400 lessons, and the lines that were there", async () => {
    // Spaces after the commas: the line is ours to read, not to rewrite.
    const untouched = times(20, (index) => logLine("old", `gap ${index}`).replaceAll(',"', ', "'));
    const project = await testProject({ lines: untouched });
    const servers = await start(project.folder, 8);
    await Promise.all(
      servers.map(async (server, process) => {
        for (let turn = 0; turn < 50; turn++) {
          await server.mustLog(`${process} ${turn}`);
        }
      }),
    );
    const snapshot = await readMemory(project);
    expect(snapshot.count).toBe(420);
    expect(new Set(gapsOf(snapshot)).size).toBe(420);
    const lines = (await readFile(project.file, "utf8")).split("\n");
    expect(lines).toEqual(expect.arrayContaining(untouched));
    expect(await leftoversIn(project)).toEqual([]);
  });
});

describe("many calls in one process", () => {
  it("one that is refused fails alone", async () => {
    const project = await testProject();
    const server = await FaultServer.start(project.folder);
    const answers = await Promise.all([
      server.log("one"),
      server.compact("of nothing", ["a1b2c3d4@9f2e"]),
      server.log("two"),
    ]);
    expect(answers.map(({ code }) => code)).toEqual([undefined, "no_usable_source", undefined]);
    expect(await gapsIn(project)).toEqual(["one", "two"]);
  });
});
