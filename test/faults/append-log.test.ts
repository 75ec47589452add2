/** A log that other programs replace or remove. Processes that append and are killed are in appending.test.ts. */
import { appendFile, readFile, rename, rm, truncate } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { testProject } from "../support/in-test.ts";
import { FaultServer, stopped } from "./support/server.ts";

describe("a log that another program", () => {
  /** Replaces a record while its old version is on the way into the trash, and says what is in the trash after. */
  async function trashAfter(meanwhile: (trash: string) => Promise<void>): Promise<string> {
    const project = await testProject();
    const trash = join(project.context, ".local", "trash.jsonl");
    const server = await FaultServer.start(project.folder, { fault: "stop appended 2" });
    await server.mustLog("one");
    await server.mustLog("one", { lesson: "second" });
    const call = server.log("one", { lesson: "third" });
    await stopped(server);
    await meanwhile(trash);
    server.signal("SIGCONT");
    expect((await call).code).toBeUndefined();
    return readFile(trash, "utf8");
  }

  it("removes after a batch arrived is made again, with that batch", async () => {
    const text = await trashAfter((trash) => rm(trash));
    expect(text).toContain("second");
    expect(text).not.toContain("Ask about one");
  });

  it("empties after a batch arrived gets that batch again", async () => {
    const text = await trashAfter((trash) => truncate(trash));
    expect(text).toContain("second");
    expect(text).not.toContain("Ask about one");
  });

  it("replaces after a batch arrived gets that batch too", async () => {
    const text = await trashAfter(async (trash) => {
      await rename(trash, `${trash}.aside`);
      await appendFile(trash, '{"batch":"other 0"}\n');
    });
    expect(text.split("\n")[0]).toContain("other 0");
    expect(text.split("\n")[1]).toContain("second");
  });
});
