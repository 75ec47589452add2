import { describe, expect, it } from "vitest";
import { testProject } from "../support/in-test.ts";
import { log, toFile } from "../support/lines.ts";
import { realisticMemory } from "../support/realistic-memory.ts";
import { SECRET_TOKEN } from "../support/secret-token.ts";

/** As the original server writes a line: other spacing, other timestamps, no fields of ours. */
const ORIGINAL_LINES = [
  {
    ...log(),
    ask_next_time: "Which countries?",
    meta: { created: "2026-02-27T10:30:00.123456+00:00" },
  },
  {
    ...log({ type: "principle", missing_context: "", lesson: "환불 API는 따로 있다" }),
    meta: {
      created: "2026-03-15T09:00:00+00:00",
      compacted_at: "2026-03-15T09:00:00+00:00",
      source_count: 7,
    },
  },
].map((record) => JSON.stringify(record, undefined, 1).replaceAll(/\n */g, " "));

describe("import", () => {
  it("reads the file of the original Sentinel", async () => {
    const project = await testProject();
    await project.write("old.jsonl", toFile(ORIGINAL_LINES));
    expect((await project.run("import", "old.jsonl")).stdout).toBe(
      "Imported: 2 new, 0 newer, 0 known.\n",
    );
    expect((await project.run("check")).exit).toBe(0);
    expect(await project.json("search", "환불")).toMatchObject([
      { type: "principle", meta: { source_count: 7 } },
    ]);
  });

  it("tells new, newer and known apart, and a second time everything is known", async () => {
    const old = log({ topic: "auth" });
    const later = {
      ...old,
      lesson: "Say it better",
      meta: { ...old.meta, updated: "2026-05-01T00:00:00.000Z" },
    };
    const project = await testProject({ lines: [log(), old] });
    await project.write("other.jsonl", toFile([log(), later, log({ topic: "ui" })]));
    expect((await project.run("import", "other.jsonl")).stdout).toBe(
      "Imported: 1 new, 1 newer, 1 known.\n",
    );
    const after = await project.memory();
    expect((await project.run("import", "other.jsonl")).stdout).toBe(
      "Imported: 0 new, 0 newer, 3 known.\n",
    );
    expect(await project.memory()).toBe(after);
  });

  it("counts lessons that the file itself retires as known, unless they are in the memory", async () => {
    const [forgotten, compacted] = [log({ topic: "auth" }), log({ topic: "ui" })];
    const secret = log({ topic: "ci", missing_context: `CI needs ${SECRET_TOKEN}` });
    const at = "2026-06-01T00:00:00.000Z";
    const sources = { [compacted.id]: compacted.meta.created, [secret.id]: secret.meta.created };
    const meta = { created: at, compacted_at: at, source_count: 2, sources };
    const principle = log({ type: "principle", missing_context: "", lesson: "Look first", meta });
    const tombstone = JSON.stringify({
      id: forgotten.id,
      type: "forgotten",
      meta: { created: at },
    });
    const lines = [log(), forgotten, tombstone, compacted, secret, principle];
    const project = await testProject();
    await project.write("other.jsonl", toFile(lines));
    for (const args of [["--dry-run"], []]) {
      const { stdout } = await project.run("import", "other.jsonl", ...args);
      expect(stdout).toMatch(/: 2 new, 0 newer, 2 known\.\n/);
    }
    const again = (await project.run("import", "other.jsonl")).stdout;
    expect(again).toBe("Imported: 0 new, 0 newer, 4 known.\n");
    const here = await testProject({ lines: [compacted] });
    await here.write("other.jsonl", toFile(lines));
    expect((await here.run("import", "other.jsonl")).stdout).toBe(
      "Imported: 2 new, 0 newer, 1 known.\nForgotten or compacted there, so removed here: 1 lesson.\n",
    );
  });

  it("says of how many records what was taken out, also where a line has no id", async () => {
    const token = (topic: string) => ({ ...log({ topic }), lesson: `Deploy with ${SECRET_TOKEN}` });
    const { id: _, meta: __, ...bare } = token("db");
    const project = await testProject();
    await project.write(
      "other.jsonl",
      toFile([token("auth"), token("ui"), JSON.stringify(bare), log()]),
    );
    const { stdout } = await project.run("import", "other.jsonl");
    expect(stdout).toBe(
      "Imported: 4 new, 0 newer, 0 known.\nRedacted in 3 lessons: 3 github-tokens in lesson.\n",
    );
    expect(await project.memory()).not.toContain(SECRET_TOKEN);
  });

  it("reports what it cannot take, by line", async () => {
    const project = await testProject();
    await project.write(
      "other.jsonl",
      toFile([
        "no json",
        log(),
        log({ topic: "ui", lesson: "x".repeat(1_025) }),
        log({ topic: SECRET_TOKEN }),
      ]),
    );
    const { stdout, stderr, exit } = await project.run("import", "other.jsonl");
    expect(exit).toBe(1);
    expect(stdout).toContain("1 new");
    expect(stderr).toMatch(/line 1 .*not JSON\nline 3 .*1,025 bytes.*\nline 4 .*secret/);
    expect(stderr).toContain("Not imported: 3 lines of other.jsonl.");
    expect(stderr).not.toContain(SECRET_TOKEN);
  });

  it("says once that a file is not a memory, and what import reads", async () => {
    const project = await testProject({ lines: [...realisticMemory(60).lessons] });
    const before = await project.memory();
    await project.run("export", "--output", "e.md");
    const { stdout, stderr, exit } = await project.run("import", "e.md");
    expect([exit, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(
      /^error not_imported: e\.md is not a memory.*not JSON.*\nfix: .*export --json.*\n$/,
    );
    expect(await project.memory()).toBe(before);
  });

  it("says of the file of another memory server how its content gets into this one", async () => {
    const project = await testProject({ lines: [log()] });
    const entity = (name: string, ...observations: string[]) => {
      return { type: "entity", name, entityType: "service", observations };
    };
    const entities = [entity("billing", "Refunds have an API", "Runs nightly"), entity("search")];
    const relation = { type: "relation", from: "billing", to: "search", relationType: "uses" };
    await project.write(
      "memory.jsonl",
      toFile([...entities, relation].map((line) => JSON.stringify(line))),
    );
    await project.write("graph.json", JSON.stringify({ entities, relations: [relation] }, null, 2));
    for (const file of ["memory.jsonl", "graph.json"]) {
      const { stdout, stderr, exit } = await project.run("import", file);
      expect([exit, stdout]).toEqual([1, ""]);
      expect(stderr).toMatch(
        /^error not_imported: \S+ is not a memory.*\nfix: .*tell your agent to read the file.*log_memory.*\n$/,
      );
    }
  });

  it("names ten of the lines it cannot take, and counts the others", async () => {
    const project = await testProject();
    await project.write(
      "other.jsonl",
      toFile([log(), ...Array.from({ length: 37 }, (_, index) => `no lesson ${index}`)]),
    );
    const { stdout, stderr, exit } = await project.run("import", "other.jsonl");
    expect([exit, stdout]).toEqual([1, "Imported: 1 new, 0 newer, 0 known.\n"]);
    expect(stderr.match(/^line \d+ of other\.jsonl/gm)).toHaveLength(10);
    expect(stderr).toContain(
      "line 11 of other.jsonl: not imported: not JSON\nand 27 more\nerror not_imported",
    );
  });

  it("loses nothing when several run at once", async () => {
    const project = await testProject({ lines: [log()] });
    const topics = ["a", "b", "c", "d"];
    for (const topic of topics) {
      await project.write(`${topic}.jsonl`, toFile([log({ topic })]));
    }
    await Promise.all(topics.map((topic) => project.run("import", `${topic}.jsonl`)));
    expect(await project.lessons()).toHaveLength(5);
  });

  it("says so when there is no such file", async () => {
    expect(await (await testProject()).run("import", "none.jsonl")).toMatchObject({
      exit: 1,
      stderr: expect.stringContaining("not_found"),
    });
  });
});

describe("export", () => {
  it("writes Markdown for people, to standard output or a file", async () => {
    const project = await testProject({ lines: [log(), log({ topic: "auth" })] });
    const { stdout } = await project.run("export");
    expect(stdout).toMatch(
      /^# Lessons of this project\n[\s\S]*## auth\n[\s\S]*## payment\n\n- Read the tax table first\n/,
    );
    await project.run("export", "--output", "LESSONS.md");
    expect(await project.read("LESSONS.md")).toBe(stdout);
  });

  it("writes over no file, and into no folder", async () => {
    const project = await testProject({
      lines: [log()],
      files: { "NOTES.md": "mine\n", "src/a.ts": "" },
    });
    const refused = async (...args: readonly string[]) =>
      (await project.run(...args)).stderr.split("\n")[0];
    expect(await refused("export", "--output", "NOTES.md")).toBe(
      "error bad_argument: NOTES.md is there already.",
    );
    expect(await refused("export", "--output", "src")).toBe("error not_a_file: src is a folder.");
    expect(await refused("export", "--output", "none/a.md")).toMatch(
      /^error not_found: .*none is not a folder\.$/,
    );
    expect(await refused("import", "src")).toBe("error not_a_file: src is a folder.");
    expect(await project.read("NOTES.md")).toBe("mine\n");
  });

  it("writes JSON that import reads, whole, through a pipe of any size", async () => {
    const { lessons } = realisticMemory(1_000);
    const from = await testProject({ lines: [...lessons] });
    const to = await testProject();
    await to.write("export.json", (await from.run("export", "--json")).stdout);
    expect((await to.run("import", "export.json")).stdout).toBe(
      "Imported: 1000 new, 0 newer, 0 known.\n",
    );
    expect(await to.memory()).toBe(toFile([...lessons].sort((a, b) => (a.id < b.id ? -1 : 1))));
  });
});
