/** How long a call waits for the lock, which only the clock can tell. */
import { expect, it } from "vitest";
import { testProject } from "../support/in-test.ts";
import { logLine } from "../support/lines.ts";
import { holdsFor } from "../support/wait.ts";
import { ELSEWHERE, forgeLock } from "./support/forge-lock.ts";
import { FaultServer } from "./support/server.ts";

/** What a busy machine may take besides; a call that waited for another one as well would take 14 s more. */
const SLACK_MS = 10_000;

it("a call that waits behind another one gets its error after its own wait, not after both", async () => {
  const project = await testProject({ lines: [logLine("faults", "one")] });
  // Its heart beats as long as the test takes.
  await forgeLock(project, { ...ELSEWHERE }, -60_000);
  const patience = 20_000;
  const server = await FaultServer.start(project.folder, { patience });
  const waits = [0, 6_000, 12_000].map(async (delay) => {
    await holdsFor(delay, () => true);
    const start = performance.now();
    const { code, text } = await server.log(`after ${delay}`);
    expect([code, text]).toEqual(["lock_timeout", expect.stringContaining("elsewhere")]);
    return performance.now() - start;
  });
  for (const wait of await Promise.all(waits)) {
    expect(wait).toBeLessThan(patience + SLACK_MS);
  }
});
