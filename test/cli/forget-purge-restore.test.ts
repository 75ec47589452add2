/** `forget`, `purge` and `restore` of lessons. For the session log see skip-and-purge.long.test.ts. */
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { testProject } from "../support/in-test.ts";
import { log, toFile } from "../support/lines.ts";
import type { Project } from "../support/project.ts";

const [VAT, LOGIN] = [log(), log({ topic: "auth" })];

describe("forget, restore and purge", () => {
  it("take out, bring back, and take out for good", async () => {
    const project = await testProject({ lines: [VAT, LOGIN] });
    expect((await project.run("forget", VAT.id, "--reason", "no longer true")).stdout).toContain(
      "Forgotten",
    );
    expect(await project.lessons()).toEqual([LOGIN]);
    expect((await project.run("restore")).stdout).toContain("forgotten");
    expect((await project.run("restore", VAT.id.slice(0, 6))).stdout).toContain("Restored");
    expect(await project.lessons()).toHaveLength(2);
    expect((await project.run("purge", VAT.id, "--yes")).stdout).toMatch(
      /Purged[\s\S]*Commit the memory file/,
    );
    expect(await project.lessons()).toEqual([LOGIN]);
    expect((await project.run("restore", VAT.id)).exit).toBe(1);
  });

  it("show in a clone when and why a record went, of one that was purged too", async () => {
    const project = await testProject({ lines: [VAT, LOGIN] });
    await project.run("forget", VAT.id, "--reason", "the tax office changed it");
    await project.run("purge", LOGIN.id, "--yes");
    const clone = await testProject({ lines: [await project.memory()] });
    const forgotten = await clone.run("show", VAT.id.slice(0, 8));
    expect(forgotten).toMatchObject({
      exit: 0,
      stderr: expect.not.stringContaining("restore brings it back"),
    });
    expect(forgotten.stdout).toMatch(/forgotten +\d{4}-\d\d-\d\dT/);
    expect(forgotten.stdout).toMatch(/reason +the tax office changed it/);
    expect((await clone.run("show", LOGIN.id)).stdout).toMatch(/reason +purged/);
    const here = await project.run("show", VAT.id);
    expect(here.stdout).toContain("the tax office changed it");
    expect(here.stdout).toContain(VAT.lesson);
  });

  it("change nothing when an id names no lesson", async () => {
    const project = await testProject({ lines: [VAT, LOGIN] });
    expect((await project.run("forget", VAT.id, "ffffffff")).exit).toBe(1);
    expect(await project.lessons()).toHaveLength(2);
  });

  it("name the commands for an id of the session log", async () => {
    const project = await testProject({ lines: [VAT] });
    for (const command of [["show"], ["purge", "--yes"]]) {
      expect((await project.run(...command, "evt_01K9")).stderr).toContain(
        "`sessions purge` take it",
      );
    }
  });

  it("purge a text that a merge brought back behind its tombstone", async () => {
    const project = await testProject({ lines: [VAT] });
    await project.run("forget", VAT.id);
    writeFileSync(project.file, readFileSync(project.file, "utf8") + JSON.stringify(VAT));
    expect((await project.run("purge", VAT.id, "--yes")).stdout).toContain("Purged");
    expect(readFileSync(project.file, "utf8")).not.toContain(VAT.lesson);
    expect((await project.run("restore")).stdout).toContain("Nothing to restore");
  });

  it("purge a text that only a merge knows of, hidden behind the trace of an earlier purge", async () => {
    const project = await testProject({ lines: [VAT] });
    await project.run("purge", VAT.id, "--yes");
    writeFileSync(project.file, readFileSync(project.file, "utf8") + JSON.stringify(VAT));
    expect((await project.run("purge", VAT.id.slice(0, 6), "--yes")).stdout).toContain("Purged: ");
    expect(readFileSync(project.file, "utf8")).not.toContain(VAT.lesson);
    expect((await project.run("restore")).stdout).toContain("Nothing to restore");
  });

  it("purge what an earlier purge left that was killed", async () => {
    const project = await testProject({ lines: [VAT] });
    await project.run("forget", VAT.id);
    const left = join(project.folder, ".context/.local/trash.jsonl.2312784431");
    writeFileSync(left, VAT.lesson);
    await project.run("purge", VAT.id, "--yes");
    expect(existsSync(left)).toBe(false);
  });

  it("purge nothing for a few digits that several ids begin with, or for none", async () => {
    const project = await testProject({ lines: [VAT, LOGIN] });
    await project.run("forget", VAT.id);
    for (const id of ["", VAT.id.slice(0, 3)]) {
      expect((await project.run("purge", id, "--yes")).exit).toBe(1);
    }
    expect((await project.run("restore", VAT.id)).exit).toBe(0);
  });

  it("show no other lesson whose id begins like that of the lesson to purge", async () => {
    const gone = log({ id: "payments" });
    const project = await testProject({
      lines: [gone, log({ id: "payments-2", topic: "elsewhere" })],
    });
    await project.run("forget", gone.id);
    expect((await project.run("purge", gone.id, "--yes")).stdout).not.toContain("elsewhere");
  });

  it("refuse a broken reference, and one that no text of the lesson has, instead of taking the id for it", async () => {
    const project = await testProject({ lines: [VAT, LOGIN] });
    await project.run("edit", VAT.id, "--lesson", "Another.");
    const before = await project.memory();
    const id = VAT.id.slice(0, 8);
    const [reference = ""] =
      (await project.run("show", VAT.id)).stdout.match(/[0-9a-f]{8}@[0-9a-f]{4}/) ?? [];
    const name = `${reference}g`;
    for (const [code, ...args] of [
      ["bad_reference", "forget", name, "--yes"],
      ["bad_reference", "purge", name, "--yes"],
      ["bad_reference", "show", name],
      ["bad_reference", "edit", name, "--lesson", "x"],
      ["not_found", "restore", name, "--yes"],
    ] as const) {
      const { exit, stdout, stderr } = await project.run(...args);
      expect([exit, stdout], args.join(" ")).toEqual([1, ""]);
      expect(stderr, args.join(" ")).toContain(`error ${code}: "${name}"`);
    }
    for (const [verb, ...options] of [["forget", "--yes"], ["purge", "--yes"], ["show"]] as const) {
      const { exit, stderr } = await project.run(verb, `${id}@0000`, ...options);
      expect([exit, stderr], verb).toEqual([1, expect.stringContaining("has this reference")]);
    }
    expect(await project.memory()).toBe(before);
    expect((await project.run("show", reference)).stdout).toContain("Another.");
    expect((await project.run("forget", reference, "--yes")).stdout).toContain("Forgotten");
    expect((await project.run("show", reference)).stdout).toContain("Another.");
    expect((await project.run("purge", reference, "--yes")).stdout).toContain("Purged");
  });

  it("never write through a link in place of the trash", async () => {
    const project = await testProject({ lines: [VAT] });
    await project.write("precious", "important");
    mkdirSync(join(project.folder, ".context/.local"));
    symlinkSync(
      join(project.folder, "precious"),
      join(project.folder, ".context/.local/trash.jsonl"),
    );
    expect((await project.run("forget", VAT.id)).stderr).toContain("not_a_file");
    expect(await project.read("precious")).toBe("important");
    expect(await project.lessons()).toEqual([VAT]);
  });

  it("find what follows half a line in the trash", async () => {
    const project = await testProject({ lines: [VAT, LOGIN] });
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

describe("a purge, for the cues of principles", () => {
  const AT = "2026-03-01T00:00:00.000Z";
  const SECOND = log({ missing_context: "Country codes differ in the bank's file" });

  /** A principle over both records, which are in the trash of this machine. */
  async function compacted(): Promise<{ project: Project; principle: string }> {
    const project = await testProject({ lines: [VAT, SECOND] });
    const text = { type: "principle" as const, missing_context: "", lesson: "Use the table" };
    const sources = { [VAT.id]: VAT.meta.created, [SECOND.id]: SECOND.meta.created };
    const cues = ["bank", "codes", "country", "differs", "vat"];
    const principle = log({
      ...text,
      meta: { created: AT, compacted_at: AT, source_count: 2, sources, cues },
    });
    await project.write("other.jsonl", toFile([principle]));
    await project.run("import", "other.jsonl");
    return { project, principle: principle.id };
  }

  const cuesIn = async (project: Project) => (await project.lessons())[0]?.meta.cues;

  it("takes the words of the purged text, here and in the trash", async () => {
    const { project, principle } = await compacted();
    await project.run("purge", VAT.id, "--yes");
    expect(await cuesIn(project)).toEqual(["bank", "codes"]);
    const file =
      (await project.read(".context/memory_log.jsonl")) +
      (await project.read(".context/.local/trash.jsonl"));
    expect(file).not.toMatch(/differs|vat|"country"/i);
    expect(
      JSON.parse((await project.read(".context/memory_log.jsonl")).split("\n")[0] ?? ""),
    ).toMatchObject({
      id: principle,
    });
  });

  it("of one word leaves all lessons and takes it from every principle", async () => {
    const { project } = await compacted();
    expect((await project.run("purge", "--word", "bank", "--yes")).stdout).toContain(
      "Purged: 1 cue.",
    );
    expect(await cuesIn(project)).toEqual(["codes", "country", "differs", "vat"]);
    for (const args of [[], [VAT.id, "--word", "x"]]) {
      expect((await project.run("purge", ...args)).exit).toBe(1);
    }
  });
});

describe("restore, for a source of a principle", () => {
  it("says how many other sources don't come back, also those that the principle no longer lists", async () => {
    const at = "2026-03-01T00:00:00.000Z";
    const sources = { [VAT.id]: VAT.meta.created, "0123456789abcdef": at };
    const meta = { created: at, compacted_at: at, source_count: 5, sources };
    const text = { type: "principle" as const, missing_context: "", lesson: "Use the table" };
    const project = await testProject({ lines: [VAT] });
    await project.write("other.jsonl", toFile([log({ ...text, meta })]));
    await project.run("import", "other.jsonl");
    const { stdout } = await project.run("restore", VAT.id);
    expect(stdout).toContain("It was also made from 4 lessons that this doesn't bring back.");
  });
});

describe("restore, for a lesson that is in the memory", () => {
  const BETTER = {
    ...VAT,
    lesson: "Ask the tax office",
    meta: { ...VAT.meta, count: 3, updated: "2026-05-01T00:00:00.000Z" },
  };

  /** A memory in which an import has replaced the text of a record. */
  async function projectWithEarlierText(): Promise<Project> {
    const project = await testProject({ lines: [VAT, LOGIN] });
    await project.write("other.jsonl", toFile([BETTER]));
    await project.run("import", "other.jsonl");
    return project;
  }

  it("writes nothing when the memory says the same already", async () => {
    const project = await testProject({ lines: [VAT, LOGIN] });
    await project.run("forget", VAT.id);
    await project.run("restore", VAT.id);
    const [before, trash] = [
      await project.memory(),
      await project.read(".context/.local/trash.jsonl"),
    ];
    const { exit, stdout } = await project.run("restore", VAT.id);
    expect([exit, stdout]).toEqual([
      0,
      expect.stringContaining("the memory has this already, with the same text"),
    ]);
    expect([await project.memory(), await project.read(".context/.local/trash.jsonl")]).toEqual([
      before,
      trash,
    ]);
    expect((await project.run("restore")).stdout).toContain("Nothing to restore");
  });

  it("passes over versions that differ in nothing but how often they were met", async () => {
    const project = await projectWithEarlierText();
    const again = {
      ...BETTER,
      meta: { ...BETTER.meta, count: 4, updated: "2026-06-01T00:00:00.000Z" },
    };
    await project.write("other.jsonl", toFile([again]));
    await project.run("import", "other.jsonl");
    await project.run("restore", VAT.id, "--yes");
    expect(await project.lessons()).toContainEqual(expect.objectContaining({ lesson: VAT.lesson }));
  });

  it("lists what is not in the memory any more before earlier texts, each of them once", async () => {
    const project = await testProject({ lines: [VAT, LOGIN] });
    await project.run("forget", LOGIN.id);
    for (const [day, lesson] of [
      ["01", "Ask the tax office"],
      ["02", "Ask them twice"],
    ] as const) {
      const meta = { ...VAT.meta, updated: `2026-05-${day}T00:00:00.000Z` };
      await project.write("other.jsonl", toFile([{ ...VAT, lesson, meta }]));
      await project.run("import", "other.jsonl");
    }
    const { stdout } = await project.run("restore");
    expect(stdout).toMatch(
      /^Not in the memory any more\n.*forgotten.*auth.*\nEarlier texts, .*\n.*updated.*Ask the tax office\n.*updated.*tax table first\n$/,
    );
  });

  /** The reference of the version that says this, as a command prints it. */
  function referenceOf(lesson: string, { stdout }: { readonly stdout: string }): string {
    const before = stdout.split(lesson)[0] ?? "";
    return before.match(/[0-9a-f]{8}@[0-9a-f]{4}/g)?.at(-1) ?? "none";
  }

  it("brings back any older text by the reference that the list and show print", async () => {
    const project = await testProject({ lines: [VAT] });
    await project.run("edit", VAT.id, "--lesson", "Ask the tax office");
    await project.run("edit", VAT.id, "--lesson", "Ask them twice");
    const first = referenceOf(VAT.lesson, await project.run("restore"));
    expect(referenceOf(VAT.lesson, await project.run("show", VAT.id))).toBe(first);
    expect((await project.run("restore", first)).stderr).toContain(
      "This replaces the present text",
    );
    for (const lesson of [VAT.lesson, "Ask the tax office", "Ask them twice", VAT.lesson]) {
      const reference = referenceOf(lesson, await project.run("restore"));
      expect((await project.run("restore", reference, "--yes")).stdout).toContain("Restored");
      expect(await project.lessons()).toEqual([expect.objectContaining({ lesson })]);
    }
    expect((await project.run("restore", first, "--yes")).stdout).toContain(
      "the memory has this already",
    );
  });

  it("brings back an older text of a lesson that was forgotten, and refuses a version that the trash has not", async () => {
    const project = await testProject({ lines: [VAT, LOGIN] });
    await project.run("edit", VAT.id, "--lesson", "Ask the tax office");
    await project.run("forget", VAT.id);
    const { exit, stderr } = await project.run("restore", `${VAT.id.slice(0, 8)}@0000`);
    expect([exit, stderr]).toEqual([
      1,
      expect.stringContaining("does not name one lesson or version"),
    ]);
    await project.run("restore", referenceOf(VAT.lesson, await project.run("restore")));
    expect(await project.lessons()).toContainEqual(expect.objectContaining({ lesson: VAT.lesson }));
  });
});
