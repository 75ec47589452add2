/** A server that lives long keeps nothing it does not need. */
import { readdir, readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { SOAK } from "../support/form.ts";
import { testProject } from "../support/in-test.ts";
import { leftoversIn } from "./support/memory.ts";
import { FaultServer } from "./support/server.ts";

const MEBIBYTE = 1024 * 1024;

describe("a server that lives long", () => {
  it("grows neither in memory nor in handles nor in folders", async () => {
    const project = await testProject();
    const server = await FaultServer.start(project.folder);
    const calls = 10_000 * SOAK;
    const warm = 4_000;
    let before = { memory: 0, handles: 0 };
    for (let call = 0; call < calls; call++) {
      if (call === warm) before = await usage(server);
      const { code } = call % 3 === 0 ? await server.search("gap") : await server.log(`gap ${call % 60}`);
      expect(code).toBeUndefined();
    }
    const after = await usage(server);
    expect(after.handles).toBeLessThanOrEqual(before.handles + 2);
    expect(after.memory - before.memory).toBeLessThan(15 * MEBIBYTE);
    expect(await leftoversIn(project)).toEqual([]);
  });
});

async function usage({ pid }: FaultServer): Promise<{ memory: number; handles: number }> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return {
    memory: Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) * 1024,
    handles: (await readdir(`/proc/${pid}/fd`)).length,
  };
}
