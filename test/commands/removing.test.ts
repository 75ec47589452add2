import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
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

  it("store no private passage of a reason, and refuse one that is left open", async () => {
    const project = new TestProject(VAT, LOGIN);
    const open = await project.run("forget", VAT.id, "--reason", "asked by <private />Acme");
    expect(open.exit).toBe(1);
    expect(open.stderr).toContain("<private />");
    expect(await project.json("list")).toHaveLength(2);
    await project.run("forget", VAT.id, "--reason", 'asked by <private who="x">Acme</private>');
    expect(readFileSync(project.file, "utf8")).toContain("asked by [PRIVATE]");
    expect(readFileSync(project.file, "utf8")).not.toContain("Acme");
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

  it("purge a text that a merge brought back behind its tombstone", async () => {
    const project = new TestProject(VAT);
    await project.run("forget", VAT.id);
    writeFileSync(project.file, readFileSync(project.file, "utf8") + JSON.stringify(VAT));
    expect((await project.run("purge", VAT.id, "--yes")).stdout).toContain("Purged");
    expect(readFileSync(project.file, "utf8")).not.toContain(VAT.lesson);
    expect((await project.run("restore")).stdout).toContain("empty");
  });

  it("purge a text that only a merge knows of, hidden behind the trace of an earlier purge", async () => {
    const project = new TestProject(VAT);
    await project.run("purge", VAT.id, "--yes");
    writeFileSync(project.file, readFileSync(project.file, "utf8") + JSON.stringify(VAT));
    expect((await project.run("purge", VAT.id.slice(0, 6), "--yes")).stdout).toContain("Purged: ");
    expect(readFileSync(project.file, "utf8")).not.toContain(VAT.lesson);
    expect((await project.run("restore")).stdout).toContain("empty");
  });

  it("purge what an earlier purge left that was killed", async () => {
    const project = new TestProject(VAT);
    await project.run("forget", VAT.id);
    const left = join(project.folder, ".context/.local/trash.jsonl.2312784431");
    writeFileSync(left, VAT.lesson);
    await project.run("purge", VAT.id, "--yes");
    expect(existsSync(left)).toBe(false);
  });

  it("purge nothing for a few digits that several ids begin with, or for none", async () => {
    const project = new TestProject(VAT, LOGIN);
    await project.run("forget", VAT.id);
    for (const id of ["", VAT.id.slice(0, 3)]) expect((await project.run("purge", id, "--yes")).exit).toBe(1);
    expect((await project.run("restore", VAT.id)).exit).toBe(0);
  });

  it("never write through a link in place of the trash", async () => {
    const project = new TestProject(VAT);
    project.write("precious", "important");
    mkdirSync(join(project.folder, ".context/.local"));
    symlinkSync(join(project.folder, "precious"), join(project.folder, ".context/.local/trash.jsonl"));
    expect((await project.run("forget", VAT.id)).stderr).toContain("not_a_file");
    expect(project.read("precious")).toBe("important");
    expect(await project.json("list")).toEqual([VAT]);
  });

  it("find what follows half a line in the trash", async () => {
    const project = new TestProject(VAT, LOGIN);
    await project.run("forget", VAT.id);
    const trash = join(dirname(project.file), ".local/trash.jsonl");
    writeFileSync(trash, readFileSync(trash, "utf8").slice(0, -40));
    await project.run("forget", LOGIN.id);
    expect((await project.run("restore", LOGIN.id)).stdout).toContain("Restored");
    await project.run("forget", LOGIN.id);
    await project.run("purge", LOGIN.id, "--yes");
    expect(readFileSync(trash, "utf8")).not.toContain(LOGIN.topic);
  });
});
