/** A server that lives long keeps nothing it does not need. */
import { readdir, readFile, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { SOAK } from "../support/form.ts";
import { testFolder, testProject } from "../support/in-test.ts";
import { until } from "../support/wait.ts";
import { leftoversIn } from "./support/memory.ts";
import { FaultServer } from "./support/server.ts";

const MEBIBYTE = 1024 * 1024;
const NOTE_MEMORY = resolve("test/faults/support/note-memory.cjs");

describe("a server that lives long", () => {
  it("grows neither in memory nor in handles nor in folders", async () => {
    const project = await testProject();
    const note = join(testFolder(), "memory");
    const through = ["env", `MEMORY=${note}`, `NODE_OPTIONS=--require=${NOTE_MEMORY}`];
    const server = await FaultServer.start(project.folder, { through });
    const calls = 10_000 * SOAK;
    const warm = 4_000;
    let before = { memory: 0, handles: 0 };
    for (let call = 0; call < calls; call++) {
      if (call === warm) {
        before = await usage(server, note);
      }
      const { code } =
        call % 3 === 0 ? await server.search("gap") : await server.log(`gap ${call % 60}`);
      expect(code).toBeUndefined();
    }
    const after = await usage(server, note);
    expect(after.handles).toBeLessThanOrEqual(before.handles + 2);
    expect(after.memory - before.memory).toBeLessThan(4 * MEBIBYTE);
    expect(await leftoversIn(project)).toEqual([]);
  });
});

/** What it keeps: how much memory the system has given it says more about when it last looked for garbage. */
async function usage(
  server: FaultServer,
  note: string,
): Promise<{ memory: number; handles: number }> {
  await rm(note, { force: true });
  server.signal("SIGUSR2");
  const noted = () => readFile(note, "utf8").catch(() => undefined);
  await until(async () => (await noted()) !== undefined);
  return {
    memory: Number(await noted()),
    handles: (await readdir(`/proc/${server.pid}/fd`)).length,
  };
}
