import { describe, expect, it } from "vitest";
import { log, TestProject } from "./project.ts";

const [VAT, LOGIN] = [log(), log({ topic: "auth" })];

describe("forget, restore and purge", () => {
  it("take out, bring back, and take out for good", async () => {
    const project = new TestProject(VAT, LOGIN);
    expect((await project.run("forget", VAT.id, "--reason", "no longer true")).stdout).toContain("Forgotten");
    expect(await project.json("list")).toEqual([LOGIN]);
    expect((await project.run("restore")).stdout).toContain("forgotten");
    expect((await project.run("restore", VAT.id.slice(0, 6))).stdout).toContain("Restored");
    expect(await project.json("list")).toHaveLength(2);
    expect((await project.run("purge", VAT.id, "--yes")).stdout).toContain("Purged");
    expect(await project.json("list")).toEqual([LOGIN]);
    expect((await project.run("restore", VAT.id)).exit).toBe(1);
  });

  it("do not purge where nobody can be asked and nobody said yes", async () => {
    const project = new TestProject(VAT);
    const { exit, stderr } = await project.run("purge", VAT.id);
    expect(exit).toBe(1);
    expect(stderr).toContain("--yes");
    expect(await project.json("list")).toEqual([VAT]);
  });

  it("change nothing when an id names no record", async () => {
    const project = new TestProject(VAT, LOGIN);
    expect((await project.run("forget", VAT.id, "ffffffff")).exit).toBe(1);
    expect(await project.json("list")).toHaveLength(2);
  });
});
