/** A process that is killed at a point of the write path: the file stays whole, holds what was acknowledged, and the next writer gets through. */
import { describe, expect, it } from "vitest";
import { testProject } from "../support/in-test.ts";
import { WRITE_POINTS } from "./fault-points.ts";
import { gapsIn, leftoversIn, TO_BE_COMMITTED, untracked } from "./support/memory.ts";
import { FaultServer } from "./support/server.ts";

/** Between a lock that is taken at once, which is 0.5 s at most, and one that is waited for, which is a minute. Only the wait counts. */
const AT_ONCE = 6_000;
const DONE_BY_THEN = ["renamed", "unlocking"];

describe("a writer killed at a point of the write path", () => {
  it.each(WRITE_POINTS)(
    "%s: nothing acknowledged is lost, the next writer does not wait, nothing is left over",
    async (point) => {
      const project = await testProject({ git: true });
      const first = await FaultServer.start(project.folder, { fault: `kill ${point} 3` });
      const next = await FaultServer.start(project.folder, { patience: AT_ONCE });
      await first.mustLog("one");
      await first.mustLog("one");
      await expect(first.log("two")).rejects.toThrow();
      expect(await gapsIn(project)).toEqual(
        DONE_BY_THEN.includes(point) ? ["one", "two"] : ["one"],
      );
      expect(await untracked(project)).toEqual(TO_BE_COMMITTED);

      await next.mustLog("three");
      expect(await gapsIn(project)).toEqual(expect.arrayContaining(["one", "three"]));
      expect(await leftoversIn(project)).toEqual([]);
    },
  );
});
