/** This version on what an earlier release left behind: its memory, its trash, what its hooks remember. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Lesson } from "../../src/lessons/format/lesson.ts";
import type { Project } from "../support/project.ts";
import { withServer } from "../support/server.ts";
import { VERSIONS } from "./archive.ts";
import { CURRENT, Release, runHook } from "./release.ts";

const MEMORY = ".context/memory_log.jsonl";

describe.each(VERSIONS)("what %s wrote", (version) => {
  const release = new Release(version);

  it("shows the same lessons, and is found over MCP in each language", async () => {
    const repository = await release.repository();
    const before = await release.run(repository, "export", "--json");
    const now = await repository.sentinel(["export", "--json"]);
    expect(JSON.parse(now.stdout)).toEqual(JSON.parse(before.stdout));
    expect(
      (JSON.parse(now.stdout) as Lesson[]).map(({ topic, lesson }) => `${topic}: ${lesson}`).sort(),
    ).toEqual([
      "build: Build with Node 20, and leave dist to the build",
      "deploy: Ask the release manager first",
      "payment: Read the tax table of the country first",
      "支付: 先确认退款接口，再修改金额",
      "결제: 국가별 세율 표를 먼저 확인한다",
    ]);
    const lessons = ["Read the tax table", "국가별 세율", "先确认退款", "Ask the release manager"];
    for (const [query, lesson] of [
      ["which countries have VAT", "Read the tax table of the country first"],
      ["부가세 계산을 고쳐줘", "국가별 세율 표를 먼저 확인한다"],
      ["修改退款接口", "先确认退款接口，再修改金额"],
    ] as const) {
      const answer = await call(repository, "search_memory", { query });
      const inOrder = lessons.toSorted((a, b) => answer.indexOf(a) - answer.indexOf(b));
      expect(answer).toContain(lesson);
      expect(lesson).toContain(inOrder[0]);
      expect(answer).not.toContain("Mails go out at night");
    }
  });

  it("stays as it is, line by line, when this version logs", async () => {
    const repository = await release.repository();
    const lines = (await repository.read(MEMORY)).trimEnd().split("\n");
    const logged = {
      topic: "cache",
      missing_context: "The cache is cold after a deploy",
      lesson: "Warm it",
    };
    await call(repository, "log_memory", logged);
    const after = (await repository.read(MEMORY)).trimEnd().split("\n");
    expect(after.filter((line) => !line.includes("The cache is cold"))).toEqual(lines);
    expect(after.length).toBe(lines.length + 1);
  });

  it("keeps fields that no version knows when its lesson is updated", async () => {
    const repository = await release.repository();
    const again = {
      topic: "deploy",
      missing_context: "Deploys are frozen on Fridays",
      lesson: "Ask Kim first",
    };
    await call(repository, "log_memory", again);
    expect((await recordsIn(repository)).find(({ topic }) => topic === "deploy")).toMatchObject({
      lesson: "Ask Kim first",
      priority: { level: 2, of: ["high", "low"] },
      meta: { count: 2, reviewed_by: "Kim" },
    });
  });

  it("is joined by a when that it does not know whole, and keeps it when it writes", async () => {
    const repository = await release.repository();
    const gap = { topic: "publishing", missing_context: "The registry takes packages of CI alone" };
    const when =
      "command: npm publish; error: E403; path: package.json; branch: main; not word: docs; from: 2026-01-01; until: 2999-12-31; all";
    await call(repository, "log_memory", { ...gap, lesson: "Push a tag", when });
    const ours = (await recordsIn(repository)).find(({ topic }) => topic === gap.topic);
    expect(Object.keys(ours?.when as object)).toHaveLength(8);
    const older = [join(release.bundle, "cli.mjs")];
    await withServer({ args: older, ...repository.place() }, async (server) => {
      await server.ask("log_memory", {
        topic: "cache",
        missing_context: "The cache is cold",
        lesson: "Warm it",
      });
      expect(await recordsIn(repository)).toContainEqual(ours);
      await server.ask("log_memory", { ...gap, lesson: "Ask Kim for a tag" });
    });
    const theirs = (await recordsIn(repository)).find(({ topic }) => topic === gap.topic);
    expect(theirs).toMatchObject({ lesson: "Ask Kim for a tag", when: ours?.when });
  });

  it("keeps what a lesson's writer knew, which then counts as known to it, and nothing else does", async () => {
    const repository = await release.repository();
    const gap = { topic: "publishing", missing_context: "The registry takes packages of CI alone" };
    await call(repository, "log_memory", { ...gap, lesson: "Push a tag" });
    const ours = await linesOf(repository, "Push a tag");
    await call(repository, "log_memory", { ...gap, lesson: "Push a branch" });
    const concurrent = (await linesOf(repository, "Push a branch")).map((line) => {
      return line.replace(/,"seen":[^\]]*\]/, "");
    });
    await writeFile(repository.file, ours.join(""));
    await withServer(
      { args: [join(release.bundle, "cli.mjs")], ...repository.place() },
      async (server) => {
        await server.ask("log_memory", { ...gap, lesson: "Ask Kim for a tag" });
      },
    );
    const theirs = await linesOf(repository, "Ask Kim for a tag");
    await writeFile(repository.file, [...ours, ...theirs].join(""));
    expect(await searchFor(repository)).not.toContain("also said");
    await writeFile(repository.file, [...ours, ...concurrent, ...theirs].join(""));
    expect(await searchFor(repository)).toMatch(
      /lesson: Ask Kim for a tag\nalso said, on .*: Push a branch/,
    );
  });

  it.each([
    ["forgotten", "mail", ["Do not send mails in tests"]],
    ["updated", "payment", ["Look for the tax table"]],
  ])("comes back from its trash when it was %s", async (because, topic, lessons) => {
    const repository = await release.repository();
    const { stdout } = await repository.sentinel(["restore"]);
    expect(stdout).toContain(because);
    const entry = (await trashOf(repository)).find((one) => one.because === because);
    expect((await repository.sentinel(["restore", "--yes", entry?.id ?? ""])).exit).toBe(0);
    expect(await lessonsOn(topic, repository)).toEqual(lessons);
  });

  it("comes back from its trash when a principle stands for it", async () => {
    const repository = await release.repository();
    const [principle] = (await recordsIn(repository)).filter(({ type }) => type === "principle");
    expect((await repository.sentinel(["restore", "--yes", principle?.id ?? ""])).exit).toBe(0);
    expect(await lessonsOn("build", repository)).toEqual([
      "Check the version of Node first",
      "Never edit dist by hand",
    ]);
    // And the other way round.
    expect((await repository.sentinel(["restore", "--yes", principle?.id ?? ""])).exit).toBe(0);
    expect(await lessonsOn("build", repository)).toEqual([
      "Build with Node 20, and leave dist to the build",
    ]);
  });

  it("tells the hooks which file changed without a log", async () => {
    const repository = await release.repository();
    expect(await runHook(CURRENT, repository, "Stop", { session_id: "changed" })).toContain(
      "src/vat.py",
    );
    expect(await runHook(CURRENT, repository, "Stop", { session_id: "changed" })).toBe("");
    expect(await runHook(release.bundle, repository, "Stop", { session_id: "changed" })).toBe("");
  });

  // Each in its own repository: a write drops the sessions that are older than a week, as those of a stored release soon are.
  it("tells the hooks who was reminded", async () => {
    const repository = await release.repository();
    const edit = { tool_name: "Edit", tool_input: { file_path: repository.path("src/vat.py") } };
    for (const session_id of ["reminded", "other"]) {
      await runHook(CURRENT, repository, "PostToolUse", { session_id, ...edit });
      const told = await runHook(CURRENT, repository, "Stop", { session_id });
      expect(told.includes("src/vat.py")).toBe(session_id === "other");
    }
  });

  it("tells the hooks who was given a lesson", async () => {
    const repository = await release.repository();
    const prompt = "Does VAT differ by country in the tax table?";
    expect(
      await runHook(CURRENT, repository, "UserPromptSubmit", { session_id: "given", prompt }),
    ).toBe("");
    expect(
      await runHook(CURRENT, repository, "UserPromptSubmit", { session_id: "other", prompt }),
    ).toContain("VAT");
  });
});

/** Calls a tool of this version's server. */
function call(project: Project, tool: string, input: Record<string, unknown>): Promise<string> {
  return withServer({ args: [join(CURRENT, "cli.mjs")], ...project.place() }, (server) =>
    server.ask(tool, input),
  );
}

async function recordsIn(repository: Project): Promise<Lesson[]> {
  return (await repository.read(MEMORY))
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
}

async function trashOf(repository: Project): Promise<{ id: string; because: string }[]> {
  const text = await repository.read(".context/.local/trash.jsonl");
  return text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
}

async function lessonsOn(topic: string, repository: Project): Promise<string[]> {
  const records = await recordsIn(repository);
  return records.flatMap((record) => (record.topic === topic ? [record.lesson] : [])).sort();
}

/** The lines of the memory that hold a text, each with its end. */
async function linesOf(repository: Project, text: string): Promise<string[]> {
  const lines = (await readFile(repository.file, "utf8")).split(/(?<=\n)/);
  return lines.filter((line) => line.includes(text));
}

const searchFor = (repository: Project) =>
  call(repository, "search_memory", { query: "registry packages" });
