/** A purge of a lesson whose words went on into what was made from it. */
import { describe, expect, it } from "vitest";
import type { Lesson } from "../../src/lessons/format/lesson.ts";
import { testProject } from "../support/in-test.ts";
import { log, toFile } from "../support/lines.ts";
import type { Project } from "../support/project.ts";

const AT = "2026-03-01T00:00:00.000Z";
const TRASH = ".context/.local/trash.jsonl";

const SPECIAL = log({
  topic: "crm",
  missing_context: "Which customer has the special contract",
  lesson: "Globex Holdings pays after 95 days, see `net_terms`",
});
const EXPORT = log({
  topic: "crm",
  missing_context: "How the export is started",
  lesson: "Start it by hand at night",
});
const OTHER = log({
  topic: "auth",
  missing_context: "Where tokens expire",
  lesson: "Look at the session table",
});

/** A principle over some records. */
function principle(lesson: string, sources: readonly Lesson[], at = AT): Lesson {
  const covers = Object.fromEntries(sources.map(({ id }) => [id, AT]));
  const meta = { created: at, compacted_at: at, source_count: sources.length, sources: covers };
  return log({
    type: "principle",
    topic: sources[0]?.topic ?? "",
    missing_context: "",
    lesson,
    meta,
  });
}

/** A project that had records, which something later took the place of; they are in its trash. */
async function projectAfter(
  records: readonly Lesson[],
  ...later: readonly Lesson[]
): Promise<Project> {
  const project = await testProject({ lines: records });
  for (const record of later) {
    await project.write("later.jsonl", toFile([record]));
    await project.run("import", "later.jsonl");
  }
  return project;
}

const bothFiles = async (project: Project) =>
  (await project.memory()) + (await project.read(TRASH));
const idsIn = async (project: Project) =>
  ((await project.json("list")) as Lesson[]).map(({ id }) => id);

const TERMS = principle(
  "Globex Holdings has its own terms: 95 days. The export is started by hand.",
  [SPECIAL, EXPORT],
);

describe("a purge of a lesson that a principle was made from", () => {
  it("names the principle, the words in it, where they are, and the command that takes it too", async () => {
    const project = await projectAfter([SPECIAL, EXPORT, OTHER], TERMS);
    const { exit, stdout } = await project.run("purge", SPECIAL.id, "--yes");
    expect(exit).toBe(0);
    expect(stdout).toMatch(
      /made from it contain its words.*\n.*Globex Holdings has its own terms.*\n.*memory file.*: /,
    );
    for (const word of ["Globex", "Holdings", "95"])
      expect(stdout.split("in the memory file")[1]).toContain(word);
    expect(stdout).not.toMatch(/in the memory file.*\b(?:has|its|by|hand|export)\b/);
    expect(stdout).toContain(` purge ${TERMS.id} --derived`);
    expect(await idsIn(project)).toEqual(expect.arrayContaining([TERMS.id, OTHER.id]));
  });

  it("says it before it asks, and changes nothing where nobody can be asked", async () => {
    const project = await projectAfter([SPECIAL, EXPORT, OTHER], TERMS);
    const before = await bothFiles(project);
    const plain = await project.run("purge", SPECIAL.id);
    expect([plain.exit, plain.stdout]).toEqual([
      1,
      expect.stringMatching(/in the memory file: .*Globex/),
    ]);
    expect(plain.stdout).toContain(` purge ${SPECIAL.id} --derived`);
    const { exit, stdout } = await project.run("purge", SPECIAL.id, "--derived");
    expect(exit).toBe(1);
    expect(stdout).toMatch(
      /are removed too:\n.*Globex[\s\S]*come back from the trash first:\n.*Start it by hand/,
    );
    expect(await bothFiles(project)).toBe(before);
  });

  it("with --derived takes the principle too, and brings back what else it stood for", async () => {
    const project = await projectAfter([SPECIAL, EXPORT, OTHER], TERMS);
    const { exit, stdout } = await project.run("purge", SPECIAL.id, "--derived", "--yes");
    expect([exit, stdout]).toEqual([
      0,
      expect.stringMatching(/Restored: .*Start it by hand[\s\S]*Purged: 2 versions of/),
    ]);
    expect(await bothFiles(project)).not.toMatch(/globex|holdings|95 days/i);
    expect(await idsIn(project)).toEqual(expect.arrayContaining([EXPORT.id, OTHER.id]));
    expect(await idsIn(project)).toHaveLength(2);
    expect((await project.run("check")).exit).toBe(0);
  });

  it("takes the principle by the command that an earlier purge named", async () => {
    const project = await projectAfter([SPECIAL, EXPORT, OTHER], TERMS);
    const { stdout } = await project.run("purge", SPECIAL.id, "--yes");
    const [, named = ""] = /^ {2}node .* (purge \S+ --derived)$/m.exec(stdout) ?? [];
    expect((await project.run(...named.split(" "), "--yes")).exit).toBe(0);
    expect(await bothFiles(project)).not.toMatch(/globex/i);
    expect(await idsIn(project)).toEqual(expect.arrayContaining([EXPORT.id, OTHER.id]));
  });

  it("keeps the earlier wording of a principle in sight, and takes that with it", async () => {
    const project = await projectAfter([SPECIAL, EXPORT, OTHER], TERMS);
    await project.run(
      "edit",
      TERMS.id,
      "--lesson",
      "A customer has its own terms. The export is started by hand.",
    );
    const { stdout } = await project.run("purge", SPECIAL.id, "--derived", "--yes");
    expect(stdout).toMatch(/in the trash of this machine: .*Globex/);
    expect(await bothFiles(project)).not.toMatch(/globex/i);
    expect(await idsIn(project)).toContain(EXPORT.id);
  });

  it("follows a principle of a principle, and restores each lesson once", async () => {
    const invoices = log({
      topic: "crm",
      missing_context: "When invoices go out",
      lesson: "On the first of a month",
    });
    const all = principle(
      "Globex pays late. Invoices go out first, exports by night.",
      [TERMS, invoices],
      "2026-03-02T00:00:00.000Z",
    );
    const project = await projectAfter([SPECIAL, EXPORT, invoices, OTHER], TERMS, all);
    expect(await idsIn(project)).toHaveLength(2);
    const { stdout } = await project.run("purge", SPECIAL.id, "--derived", "--yes");
    expect(stdout).toContain("Purged: 3 versions of");
    expect(await bothFiles(project)).not.toMatch(/globex/i);
    expect((await idsIn(project)).sort()).toEqual([EXPORT.id, invoices.id, OTHER.id].sort());
  });

  it("leaves a principle that says none of its words, and says that there is one", async () => {
    const general = principle("Ask before work on billing", [SPECIAL, EXPORT]);
    const project = await projectAfter([SPECIAL, EXPORT, OTHER], { ...general, topic: "sales" });
    const { stdout } = await project.run("purge", SPECIAL.id, "--derived", "--yes");
    expect(stdout).toContain(`without such words, and stays: ${general.id}`);
    expect(await idsIn(project)).toContain(general.id);
    expect(await bothFiles(project)).not.toMatch(/globex/i);
  });

  it("says which lesson that comes back holds the words as well, and how to take it", async () => {
    const discount = log({
      topic: "crm",
      missing_context: "Who gets a discount",
      lesson: "Ask Globex Holdings first",
    });
    const both = principle("Globex Holdings has its own terms", [SPECIAL, discount]);
    const project = await projectAfter([SPECIAL, discount, OTHER], both);
    const { stdout } = await project.run("purge", SPECIAL.id, "--derived", "--yes");
    expect(stdout).toMatch(
      /come back from the trash first:\n.*Ask Globex.*\n.*trash of this machine: .*Globex/,
    );
    expect(stdout).toContain(` purge ${discount.id}\n`);
    await project.run("purge", discount.id, "--yes");
    expect(await bothFiles(project)).not.toMatch(/globex/i);
  });

  it("brings back nothing that was forgotten or purged on purpose", async () => {
    const project = await projectAfter([SPECIAL, EXPORT, OTHER], TERMS);
    await project.run("restore", EXPORT.id);
    await project.run("forget", EXPORT.id, "--reason", "no longer true");
    const { stdout } = await project.run("purge", SPECIAL.id, "--derived", "--yes");
    expect(stdout).not.toContain("Restored");
    expect(await idsIn(project)).toEqual([OTHER.id]);
  });
});

describe("a purge with --derived on a machine that did not compact", () => {
  /** A clone of a project whose teammate compacted: the sources are in no trash of it. Here one of them was written again. */
  async function teammate(): Promise<Project> {
    const project = await projectAfter([SPECIAL, EXPORT, OTHER], TERMS);
    const clone = await testProject({ lines: [await project.memory()] });
    await clone.write(
      "again.jsonl",
      toFile([{ ...SPECIAL, meta: { created: "2026-04-01T00:00:00.000Z" } }]),
    );
    await clone.run("import", "again.jsonl");
    return clone;
  }

  it("refuses, lists what would be lost, and changes nothing; with --lose it does it", async () => {
    const clone = await teammate();
    const before = await clone.memory();
    for (const yes of [[], ["--yes"]]) {
      const { exit, stdout, stderr } = await clone.run("purge", SPECIAL.id, "--derived", ...yes);
      expect([exit, stdout]).toEqual([
        1,
        expect.stringContaining(`in no trash here: ${EXPORT.id}`),
      ]);
      expect(stderr).toContain(`replaces 1 lesson that is not in the trash here: ${EXPORT.id}`);
      expect(stderr).toContain("--lose");
    }
    expect(await clone.memory()).toBe(before);
    const { exit, stdout } = await clone.run("purge", SPECIAL.id, "--derived", "--lose", "--yes");
    expect([exit, stdout]).toEqual([
      0,
      expect.stringContaining(`Lost, since its text is in no trash here: ${EXPORT.id}`),
    ]);
    expect(await idsIn(clone)).toEqual([OTHER.id]);
    expect(await clone.memory()).not.toMatch(/globex/i);
  });

  it("needs no --lose where another principle still says what the lesson said", async () => {
    const clone = await teammate();
    await clone.write(
      "second.jsonl",
      toFile([principle("Exports are started by a person", [EXPORT])]),
    );
    await clone.run("import", "second.jsonl");
    expect((await clone.run("purge", SPECIAL.id, "--derived", "--yes")).exit).toBe(0);
    expect(await clone.memory()).not.toMatch(/globex/i);
  });
});

describe("a purge of a lesson that was moved or corrected", () => {
  it("names what it became and what it came from, and takes the former with --derived", async () => {
    const project = await testProject({ lines: [SPECIAL, OTHER] });
    await project.run("edit", SPECIAL.id, "--topic", "sales");
    const moved = (await idsIn(project)).find((id) => id !== OTHER.id) ?? "";
    const later = await project.run("purge", moved);
    expect(later.stdout).toMatch(
      /came from this lesson, which contains the same words and stays:\n.*Globex.*\n.*trash of this machine/,
    );
    const { stdout } = await project.run("purge", SPECIAL.id, "--derived", "--yes");
    expect(stdout).toContain(moved);
    expect(await bothFiles(project)).not.toMatch(/globex/i);
    expect(await idsIn(project)).toEqual([OTHER.id]);
  });

  it("does not bring back an older text of the lesson itself", async () => {
    const project = await testProject({ lines: [SPECIAL, OTHER] });
    await project.run("edit", SPECIAL.id, "--topic", "sales");
    const moved = (await idsIn(project)).find((id) => id !== OTHER.id) ?? "";
    const { stdout } = await project.run("purge", moved, "--derived", "--yes");
    expect(await idsIn(project)).toEqual([OTHER.id]);
    expect(stdout).toContain(` purge ${SPECIAL.id}\n`);
  });
});

describe("a purge, by other words", () => {
  it.each([
    ["Korean", "글로벡스는 95일 뒤에 낸다", "글로벡스의 조건은 따로 정한다", "글로벡스"],
    [
      "Korean with a name inside a word",
      "글로벡스는 늦게 낸다",
      "주식회사글로벡스 조건",
      "글로벡스",
    ],
    ["Chinese", "环球集团的账期是三个月", "对于环球集团，先看合同", "环球集团"],
    ["Japanese", "グローベックスは後払い", "グローベックス社の条件を見る", "グローベックス"],
    ["a name in small letters", "globex pays late", "terms of globex differ", "globex"],
    [
      "an identifier in another sentence",
      "Read ACME_API_KEY first",
      "The key is in acme_api_key",
      "acme_api_key",
    ],
  ])("finds in a principle what was said in %s", async (_, said, kept, word) => {
    const record = log({ topic: "crm", missing_context: "Ⅹ", lesson: said });
    const made = principle(kept, [record, EXPORT]);
    const project = await projectAfter([record, EXPORT, OTHER], made);
    expect((await project.run("purge", record.id, "--yes")).stdout).toMatch(
      new RegExp(`in the memory file: .*${word}`),
    );
    await project.run("purge", made.id, "--derived", "--yes");
    expect(await bothFiles(project)).not.toContain(word);
    expect(await idsIn(project)).toContain(EXPORT.id);
  });

  it("of a word names the texts that still hold it, in the memory and the trash", async () => {
    const project = await projectAfter([SPECIAL, EXPORT, OTHER], TERMS);
    const { stdout } = await project.run("purge", "--word", "globex", "--yes");
    expect(stdout).toMatch(
      /Texts that still hold it:\n[\s\S]*in the memory file: Globex[\s\S]*in the trash of this machine: Globex/,
    );
    for (const id of [TERMS.id, SPECIAL.id]) expect(stdout).toContain(` purge ${id}\n`);
    expect((await project.run("purge", "--word", "unheard", "--yes")).stdout).not.toContain(
      "still hold",
    );
  });

  it("tells in a repository which commits hold what was made from it, and what teammates do", async () => {
    const project = await testProject({ git: true, lines: [SPECIAL, EXPORT, OTHER] });
    await project.write("later.jsonl", toFile([TERMS]));
    await project.run("import", "later.jsonl");
    await project.commit("compacted");
    const { stdout } = await project.run("purge", SPECIAL.id, "--derived", "--yes");
    expect(stdout).toMatch(/Git history still holds it and what was made from it, in 1 commit/);
    expect(stdout).toMatch(new RegExp(` purge ${SPECIAL.id}, node .* purge ${TERMS.id}\n`));
  });

  it.each([
    ["--word", "x", "--derived"],
    ["--text", "x", "--derived"],
    [SPECIAL.id, "--lose"],
  ])("refuses %s %s %s", async (...args) => {
    const project = await testProject({ lines: [SPECIAL] });
    const { exit, stderr } = await project.run("purge", ...args, "--yes");
    expect([exit, stderr]).toEqual([1, expect.stringContaining("bad_argument")]);
    expect(await idsIn(project)).toEqual([SPECIAL.id]);
  });
});
