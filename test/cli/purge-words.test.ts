/** Purging a lesson whose words are also in lessons made from it. */
import { describe, expect, it } from "vitest";
import type { Lesson } from "../../src/lessons/format/lesson.ts";
import { testProject } from "../support/in-test.ts";
import { log, toFile } from "../support/lines.ts";
import type { Project } from "../support/project.ts";

const AT = "2026-03-01T00:00:00.000Z";
const TRASH = ".context/.local/trash.jsonl";

const lessonOf = (topic: string, missing_context: string, lesson: string): Lesson =>
  log({ topic, missing_context, lesson });

const SPECIAL = lessonOf(
  "crm",
  "Which customer has the special contract",
  "Globex Holdings pays after 95 days, see `net_terms`",
);
const EXPORT = lessonOf("crm", "How the export is started", "Start it by hand at night");
const OTHER = lessonOf("auth", "Where tokens expire", "Look at the session table");

/** A principle made from some lessons. */
function principle(lesson: string, sources: readonly Lesson[], at = AT): Lesson {
  const covers = Object.fromEntries(sources.map(({ id }) => [id, AT]));
  const meta = { created: at, compacted_at: at, source_count: sources.length, sources: covers };
  const texts = { topic: sources[0]?.topic ?? "", missing_context: "", lesson };
  return log({ ...texts, type: "principle", meta });
}

/** A project with lessons in its trash, because later ones replaced them. */
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
const idsIn = async (project: Project) => (await project.lessons()).map(({ id }) => id);

const TERMS = principle(
  "Globex Holdings has its own terms: 95 days. The export is started by hand.",
  [SPECIAL, EXPORT],
);

describe("a purge of a lesson that a principle was made from", () => {
  it("lists the principle before asking, the words in it, where they are, and the command that removes it too", async () => {
    const project = await projectAfter([SPECIAL, EXPORT, OTHER], TERMS);
    const before = await bothFiles(project);
    expect(await project.run("purge", SPECIAL.id)).toMatchObject({
      exit: 1,
      stdout: expect.stringMatching(/in the memory file: .*Globex/),
      stderr: expect.stringMatching(/can't be undone[\s\S]*--yes/),
    });
    expect(await bothFiles(project)).toBe(before);
    const { exit, stdout } = await project.run("purge", SPECIAL.id, "--yes");
    expect(exit).toBe(0);
    expect(stdout).toMatch(
      /contain words of it and stay:\n.*Globex Holdings has its own terms.*\n.*memory file.*: /,
    );
    for (const word of ["Globex", "Holdings", "95"]) {
      expect(stdout.split("in the memory file")[1]).toContain(word);
    }
    expect(stdout).not.toMatch(/in the memory file.*\b(?:has|its|by|hand|export)\b/);
    expect(stdout).toContain(` purge ${TERMS.id}\n`);
    expect(await idsIn(project)).toEqual(expect.arrayContaining([TERMS.id, OTHER.id]));
    const files = await bothFiles(project);
    expect(files).not.toContain(SPECIAL.lesson);
    expect(files).toContain(EXPORT.lesson);
  });

  it("is complete after the commands that it lists", async () => {
    const project = await projectAfter([SPECIAL, EXPORT, OTHER], TERMS);
    const { stdout } = await project.run("purge", SPECIAL.id, "--yes");
    const [, restore = ""] = /restore them first: node .* (restore \S+)$/m.exec(stdout) ?? [];
    const [, purge = ""] = /^ {2}node .* (purge \S+)$/m.exec(stdout) ?? [];
    expect((await project.run(...restore.split(" "), "--yes")).exit).toBe(0);
    expect((await project.run(...purge.split(" "), "--yes")).exit).toBe(0);
    expect(await bothFiles(project)).not.toMatch(/globex|holdings|95 days/i);
    expect((await idsIn(project)).sort()).toEqual([EXPORT.id, OTHER.id].sort());
    expect((await project.run("check")).exit).toBe(0);
  });

  it("lists a principle whose earlier wording has the words, in the trash", async () => {
    const project = await projectAfter([SPECIAL, EXPORT, OTHER], TERMS);
    await project.run(
      "edit",
      TERMS.id,
      "--lesson",
      "A customer has its own terms. The export is started by hand.",
    );
    const { stdout } = await project.run("purge", SPECIAL.id, "--yes");
    expect(stdout).toMatch(/in the trash of this machine: .*Globex/);
    expect(stdout).toContain(` purge ${TERMS.id}\n`);
    await project.run("purge", TERMS.id, "--yes");
    expect(await bothFiles(project)).not.toMatch(/globex/i);
  });
});

describe("a purge of a lesson that was moved", () => {
  it("lists what it became, and what it came from", async () => {
    const project = await testProject({ lines: [SPECIAL, OTHER] });
    await project.run("edit", SPECIAL.id, "--topic", "sales");
    const moved = (await idsIn(project)).find((id) => id !== OTHER.id) ?? "";
    expect((await project.run("purge", SPECIAL.id)).stdout).toMatch(/Globex.*\n.*memory file/);
    const { stdout } = await project.run("purge", moved, "--yes");
    expect(stdout).toMatch(/Globex.*\n.*trash of this machine/);
    expect(stdout).toContain(` purge ${SPECIAL.id}\n`);
    await project.run("purge", SPECIAL.id, "--yes");
    expect(await bothFiles(project)).not.toMatch(/globex/i);
    expect(await idsIn(project)).toEqual([OTHER.id]);
  });
});

describe("a purge, by other words", () => {
  it("of a word lists the texts that still contain it, in the memory and the trash", async () => {
    const project = await projectAfter([SPECIAL, EXPORT, OTHER], TERMS);
    const { stdout } = await project.run("purge", "--word", "globex", "--yes");
    expect(stdout).toMatch(
      /Texts that still contain it:\n[\s\S]*in the memory file: Globex[\s\S]*in the trash of this machine: Globex/,
    );
    for (const id of [TERMS.id, SPECIAL.id]) {
      expect(stdout).toContain(` purge ${id}\n`);
    }
    expect((await project.run("purge", "--word", "unheard", "--yes")).stdout).not.toContain(
      "still contain",
    );
  });

  it("lists the commits that contain it, and the command for teammates", async () => {
    const project = await testProject({ git: true, lines: [SPECIAL, EXPORT, OTHER] });
    await project.commit("logged");
    const { stdout } = await project.run("purge", SPECIAL.id, "--yes");
    expect(stdout).toMatch(/Git history still holds it, in \d+ commits?:/);
    expect(stdout).toMatch(new RegExp(`each runs there, .* purge ${SPECIAL.id}\n`));
  });
});
