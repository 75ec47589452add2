/** A memory that git has and the disk lacks, or has only a Git LFS pointer of: it is never empty, and no save takes its place. */
import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { testRepository } from "../support/in-test.ts";
import { logLine, toFile } from "../support/lines.ts";
import { BIN, Project } from "../support/project.ts";
import { runProcess } from "../support/run-process.ts";
import { withServer } from "../support/server.ts";

const MEMORY = ".context/memory_log.jsonl";
const LESSONS = toFile([
  logLine("taxes", "how taxes work"),
  logLine("refunds", "how refunds work"),
]);
const FILES = {
  [MEMORY]: LESSONS,
  ".context/.gitattributes": "memory_log.jsonl text eol=lf merge=union -filter !diff\n",
  ".context/.gitignore": ".local/\nmemory_log.jsonl.lock*\nmemory_log.jsonl.staging*\n",
  "src/a.ts": "a\n",
};
const ADD = [
  "add",
  "--topic",
  "pay",
  "--missing",
  "how fees work",
  "--lesson",
  "read docs/fees.md first",
];

/** A clone whose checkout has no .context. */
async function sparseClone(...set: string[]): Promise<Project> {
  const clone = await (await testRepository(FILES)).clone("--no-checkout");
  await clone.git("sparse-checkout", "set", ...set);
  await clone.git("checkout", "--quiet", "main");
  return clone;
}

/** Nothing is read, nothing is written, and the fix that the error names brings the lessons. */
async function refusesUntilFixed(
  project: Project,
  fix: string,
  { below = ".", commands = [["search", "taxes"], ADD] } = {},
): Promise<void> {
  const context = project.path(`${below}/.context`);
  for (const command of commands) {
    const { exit, stderr } = await project.sentinel(command, below);
    expect({ exit, stderr }, command[0]).toEqual({
      exit: 1,
      stderr: expect.stringMatching(/^error not_checked_out: /),
    });
    expect(stderr).toContain(`: ${fix}`);
  }
  expect([existsSync(context), await project.changes()]).toEqual([false, ""]);
  await runProcess("sh", ["-c", fix], project.place());
  expect((await project.sentinel(["list"], below)).stdout).toContain("taxes (1 lesson)");
}

describe("a memory outside of a sparse checkout", () => {
  it.each([
    ["cone mode with a sparse index", ["--cone", "--sparse-index", "src"], ".context"],
    ["patterns that keep nothing else", ["--no-cone", "/src/"], '".context/*"'],
    [
      "a pattern for each file",
      ["--no-cone", "/*", "!/.context/memory_log.jsonl", "!.git*"],
      '".context/*"',
    ],
  ])("is not empty: %s", async (_, set, added) => {
    await refusesUntilFixed(await sparseClone(...set), `git sparse-checkout add ${added}`);
  });

  it("is not empty in a folder whose name is a pattern", async () => {
    const repository = await testRepository({
      [`packages/[api] 1/${MEMORY}`]: LESSONS,
      "packages/[api] 1/a.ts": "a\n",
    });
    const clone = await repository.clone();
    await clone.git("sparse-checkout", "set", "--no-cone", "/*", "!.context/");
    await refusesUntilFixed(
      clone,
      String.raw`git sparse-checkout add 'packages/\[api\] 1/.context/*'`,
      { below: "packages/[api] 1" },
    );
  });

  it.each(["!/.context/policies/", "!/.context/policies/privacy.yaml"])(
    "with its own words: nothing is stored until they are there; %s",
    async (pattern) => {
      const words = "version: 1\nnever_store:\n  words: [Nightjar]\n";
      const repository = await testRepository({
        ...FILES,
        ".context/policies/privacy.yaml": words,
      });
      const clone = await repository.clone("--no-checkout");
      await clone.git("sparse-checkout", "set", "--no-cone", "/*", pattern);
      await clone.git("checkout", "--quiet", "main");
      const add = ["add", "--topic", "pay", "--missing", "who pays", "--lesson", "Nightjar pays"];
      const { exit, stderr } = await clone.sentinel(add);
      expect({ exit, stderr }).toEqual({
        exit: 1,
        stderr: expect.stringContaining("error privacy_unreadable"),
      });
      const fix = 'git sparse-checkout add ".context/policies/*"';
      expect(stderr).toContain(`: ${fix}`);
      await runProcess("sh", ["-c", fix], clone.place());
      expect((await clone.sentinel(add)).exit).toBe(0);
      expect(await clone.read(MEMORY)).not.toContain("Nightjar");
    },
  );

  it("is not empty in a worktree, nor from a folder below", async () => {
    const repository = await testRepository(FILES);
    const tree = new Project(repository.home, "tree");
    await repository.git("worktree", "add", "--quiet", "--no-checkout", tree.folder);
    await tree.git("sparse-checkout", "set", "src");
    await tree.git("checkout", "--quiet");
    expect((await tree.sentinel(ADD, "src")).stderr).toContain("error not_checked_out");
    const commands = [["search", "taxes"], ["check"], ADD, ["init"]];
    await refusesUntilFixed(tree, "git sparse-checkout add .context", { commands });
    expect((await repository.sentinel(["list"])).stdout).toContain("taxes (1 lesson)");
  });

  it("is not taken for that of the root, where a package has its own", async () => {
    const repository = await testRepository({
      [MEMORY]: toFile([logLine("root", "how the root works")]),
      [`packages/api/${MEMORY}`]: LESSONS,
      "packages/api/src/a.ts": "a\n",
    });
    const clone = await repository.clone();
    await clone.git("sparse-checkout", "set", "packages/api/src", ".context");
    expect((await clone.sentinel(ADD, "packages/api/src")).stderr).toContain(
      "error not_checked_out",
    );
    expect((await clone.sentinel(["list"])).stdout).toContain("root (1 lesson)");
    await refusesUntilFixed(clone, "git sparse-checkout add packages/api/.context", {
      below: "packages/api",
    });
  });

  it("is not empty where it was left out by a mark of its own", async () => {
    const repository = await testRepository(FILES);
    await repository.git("update-index", "--skip-worktree", MEMORY);
    await rm(repository.file);
    const fix = `git update-index --no-skip-worktree ${MEMORY} && git restore ${MEMORY}`;
    expect((await repository.sentinel(ADD)).stderr).toContain(
      `fix: In ${repository.folder}: ${fix}\n`,
    );
    await runProcess("sh", ["-c", fix], repository.place());
    expect(await repository.memory()).toBe(LESSONS);
  });

  it("is refused by tools, imports and doctor, which advise nothing that git has; hooks are silent", async () => {
    const clone = await sparseClone("src");
    await withServer(clone.server(), async (server) => {
      for (const [tool, input] of [
        ["search_memory", { query: "taxes" }],
        [
          "log_memory",
          { topic: "pay", missing_context: "how fees work", lesson: "read docs/fees.md first" },
        ],
        ["compact_memory", {}],
      ] as const) {
        expect(await server.call(tool, input)).toMatchObject({
          isError: true,
          code: "not_checked_out",
        });
      }
    });
    await clone.write("~/more.jsonl", LESSONS);
    expect((await clone.run("import", clone.path("~/more.jsonl"))).stderr).toContain(
      "error not_checked_out",
    );
    const { stdout } = await clone.run("doctor", "--fix");
    expect(stdout).toMatch(/^BROKEN .*\n +fix: In .*: git sparse-checkout add \.context$/m);
    expect(stdout).not.toContain(".gitattributes");
    for (const hook_event_name of ["SessionStart", "UserPromptSubmit", "Stop"]) {
      const stdin = JSON.stringify({
        hook_event_name,
        session_id: "s",
        cwd: clone.folder,
        prompt: "how do taxes work?",
      });
      const hook = await runProcess(process.execPath, [BIN, "hook"], { ...clone.place(), stdin });
      expect(hook).toMatchObject({ exit: 0, stdout: "", stderr: "" });
    }
    expect([existsSync(clone.context), await clone.changes()]).toEqual([false, ""]);
  });

  it("keeps doctor and init from writing git's files anew where only those are left out", async () => {
    const clone = await sparseClone("--no-cone", "/*", "!/.context/.git*");
    await clone.run("init", "--agents", "claude");
    const { stdout } = await clone.run("doctor", "--fix");
    expect(stdout).not.toMatch(/gitattributes|merge line by line/);
    expect(existsSync(clone.path(".context/.gitattributes"))).toBe(false);
  });
});

describe("a memory that somebody deleted", () => {
  it("is not replaced while git has lessons in it; git rm begins anew", async () => {
    const repository = await testRepository(FILES);
    await rm(repository.file);
    for (const command of [["list"], ADD]) {
      expect((await repository.run(...command)).stderr).toContain(`git restore --merge ${MEMORY}`);
    }
    await repository.git("rm", "--quiet", "--cached", MEMORY);
    expect(await repository.run(...ADD)).toMatchObject({ exit: 0 });
    await repository.git("reset", "--quiet");
    await rm(repository.file);
    await runProcess("sh", ["-c", `git restore --merge ${MEMORY}`], repository.place());
    expect(await repository.memory()).toBe(LESSONS);
  });

  it("is begun anew where git had no lesson in it", async () => {
    const repository = await testRepository({ ...FILES, [MEMORY]: "" });
    await rm(repository.file);
    expect(await repository.run(...ADD)).toMatchObject({ exit: 0 });
  });
});

describe("a memory behind Git LFS", () => {
  it("is refused for reading and writing while it's a pointer, also below a lesson that an earlier version saved", async () => {
    const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${"0".repeat(64)}\n`;
    const text = `${LESSONS}${pointer}`;
    const repository = await testRepository({ ...FILES, [MEMORY]: text });
    for (const command of [["list"], ["search", "taxes"], ["check"], ADD]) {
      const { exit, stdout, stderr } = await repository.run(...command);
      expect({ exit, said: stdout + stderr }).toEqual({
        exit: 1,
        said: expect.stringContaining("git lfs pull"),
      });
    }
    expect((await repository.run("doctor")).stdout).toMatch(
      /^BROKEN .*Git LFS pointer.*\n +fix: .*git lfs pull/m,
    );
    expect(await repository.memory()).toBe(text);
  });

  it("is kept out of it by init, and git diff shows the lines", async () => {
    const repository = await testRepository({
      ".gitattributes": "*.jsonl filter=lfs diff=lfs merge=lfs -text\n",
      ".context/.gitattributes": "# ours\r\nmemory_log.jsonl text eol=lf merge=union\r\n",
    });
    // What LFS does, without LFS.
    await repository.git(
      "config",
      "filter.lfs.clean",
      "sh -c 'cat >/dev/null; echo version https://git-lfs.test'",
    );
    await repository.git("config", "filter.lfs.smudge", "cat");
    await repository.run("init", "--agents", "claude", "--no-hooks", "--dry-run");
    await repository.write(MEMORY, LESSONS);
    await repository.commit("a pointer");
    expect(await repository.git("show", `HEAD:${MEMORY}`)).toContain("git-lfs");
    expect((await repository.run("doctor")).stdout).toMatch(
      /^warning .*git filters it.*\n +fix: .* -filter !diff; then git add --renormalize/m,
    );
    await repository.run("init", "--agents", "claude", "--no-hooks");
    expect(await repository.read(".context/.gitattributes")).toMatch(
      /^# ours\r\n.*\r\nmemory_log\.jsonl text eol=lf merge=union -filter !diff\r\n/,
    );
    await repository.git("add", "--renormalize", MEMORY);
    await repository.commit("lessons");
    expect(await repository.git("show", `HEAD:${MEMORY}`)).toBe(LESSONS);
    expect((await repository.run("doctor")).stdout).not.toContain("filter");
    await repository.run(...ADD);
    expect(await repository.git("diff")).toContain('+{"id"');
  });
});
