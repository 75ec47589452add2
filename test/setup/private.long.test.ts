import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { beforeEach, describe, expect, it } from "vitest";
import { testRepository } from "../support/in-test.ts";
import type { Project } from "../support/project.ts";
import { runProcess } from "../support/run-process.ts";
import { ClaudeAgent } from "./configured-agent.ts";

const MEMORY = ".context/memory_log.jsonl";
const EXCLUDE = ".git/info/exclude";
const INIT = ["init", "--agents", "claude", "--private"];
const GAP = {
  topic: "billing",
  missing_context: "VAT differs by country",
  lesson: "Read the rate table first",
};

let repository: Project;
beforeEach(async () => {
  repository = await testRepository({ "packages/[api]/code.ts": "" });
  await repository.install();
});

/** What doctor says of git and the memory, and how it ends. */
async function doctorIn(clone: Project, ...args: string[]) {
  const { exit, stdout } = await clone.sentinel(["doctor", "--json", ...args]);
  const findings: { level: string; what: string; fix?: string }[] = JSON.parse(stdout);
  return { exit, findings: findings.filter(({ what }) => /private|ignores/.test(what)) };
}

describe("a private memory", () => {
  it("is one that git does not see, and doctor says what that means, with a command that exports it", async () => {
    const { exit: done, stdout } = await repository.sentinel(INIT);
    expect({ done, stdout }).toMatchObject({ done: 0, stdout: expect.stringContaining(EXCLUDE) });
    expect(stdout).toContain("git add .mcp.json .claude/settings.json CLAUDE.md && git commit");
    expect(await new ClaudeAgent(repository, ".").call("log_memory", GAP)).toContain("Saved");
    expect(await repository.changes()).not.toContain(".context");
    await repository.commit("init");
    expect(await repository.changes()).toBe("");
    const { exit, findings } = await doctorIn(repository);
    expect(exit).toBe(0);
    expect(findings).toMatchObject([
      {
        level: "note",
        what: expect.stringMatching(
          /^\.context.* is kept private, by \.git\/info\/exclude:\d+:\/\.context\/: it isn.t shared\. git clean -dx/,
        ),
        fix: expect.stringContaining("export --json --output ../memory-copy.json"),
      },
    ]);
    const exported = await runProcess("sh", ["-c", findings[0]?.fix ?? ""], repository.place());
    expect(exported).toMatchObject({ exit: 0 });
    expect(await repository.read("../memory-copy.json")).toContain(GAP.lesson);
  });

  it("may be a package's, whatever its folder is called", async () => {
    const project = "packages/[api]";
    await repository.sentinel([...INIT, "--project", project]);
    expect(existsSync(repository.path(`${project}/${MEMORY}`))).toBe(true);
    expect(await repository.changes()).not.toContain(".context");
    expect((await doctorIn(repository, "--project", project)).findings).toMatchObject([
      { level: "note" },
    ]);
    await repository.sentinel(["uninstall", "--project", project]);
    expect(await repository.changes()).toBe("");
  });

  it("may be a worktree's", async () => {
    const worktree = await repository.worktree("feature");
    expect(await worktree.sentinel(INIT)).toMatchObject({ exit: 0 });
    expect(existsSync(worktree.path(MEMORY))).toBe(true);
    expect(await worktree.changes()).not.toContain(".context");
    expect((await doctorIn(worktree)).findings).toMatchObject([{ level: "note" }]);
    await worktree.sentinel(["uninstall"]);
    expect(await worktree.changes()).toBe("");
    expect(await repository.read(EXCLUDE)).not.toContain(".context");
  });

  it.each(["# theirs\n*.bak", undefined])(
    "leaves the exclude file as it was, after uninstall: %j",
    async (text) => {
      if (text === undefined) {
        await rm(repository.path(EXCLUDE));
      } else {
        await repository.write(EXCLUDE, text);
      }
      await repository.sentinel(INIT);
      expect(await repository.read(EXCLUDE)).toMatch(/^\/\.context\/$/m);
      await repository.sentinel(INIT);
      await repository.sentinel(["uninstall"]);
      expect(
        existsSync(repository.path(EXCLUDE)) ? await repository.read(EXCLUDE) : undefined,
      ).toBe(text);
      expect(existsSync(repository.path(".git/info"))).toBe(true);
      expect(await repository.changes()).toBe("");
    },
  );

  it("is taken out of an exclude file that has more since, and uninstall says that git sees it", async () => {
    await repository.sentinel(INIT);
    await repository.write(EXCLUDE, `${await repository.read(EXCLUDE)}*.later\n`);
    await new ClaudeAgent(repository, ".").call("log_memory", GAP);
    const { stdout } = await repository.sentinel(["uninstall"]);
    expect(stdout).toContain("Git no longer ignores it");
    expect(await repository.read(EXCLUDE)).toMatch(/\*\.later\n$/);
    expect(await repository.changes()).toContain(MEMORY);
  });

  it("is refused where git tracks it, with the command that untracks it", async () => {
    await repository.sentinel(["init", "--agents", "claude"]);
    await repository.commit("init");
    const refused = await repository.sentinel(INIT);
    expect(refused).toMatchObject({
      exit: 1,
      stderr: expect.stringContaining("error not_private"),
    });
    expect(await repository.read(EXCLUDE)).not.toContain(".context");
    const command = /git rm -r --cached \S+/.exec(refused.stderr)?.[0] ?? expect.fail("no command");
    await repository.git(...command.split(" ").slice(1));
    expect(await repository.sentinel(INIT)).toMatchObject({ exit: 0 });
    await repository.commit("Keep the memory private");
    expect((await doctorIn(repository)).findings).toMatchObject([{ level: "note" }]);
  });

  it("is refused where there is no repository", async () => {
    await repository.write("../loose/README.md", "");
    const { exit, stderr } = await repository.sentinel([...INIT, "--project", "../loose"]);
    expect({ exit, stderr }).toMatchObject({
      exit: 1,
      stderr: expect.stringContaining("error not_private"),
    });
    expect(existsSync(repository.path("../loose/.context"))).toBe(false);
    await repository.sentinel(["init", "--agents", "claude", "--project", "../loose"]);
    expect(await repository.sentinel(["uninstall", "--project", "../loose"])).toMatchObject({
      exit: 0,
    });
    expect(existsSync(repository.path("../loose/.git"))).toBe(false);
  });

  it("is not private while git tracks it, and doctor warns", async () => {
    await repository.sentinel(["init", "--agents", "claude"]);
    await repository.commit("init");
    await repository.write(".gitignore", ".context/\n");
    const { exit, findings } = await doctorIn(repository);
    expect(exit).toBe(0);
    expect(findings).toMatchObject([
      {
        level: "warning",
        what: expect.stringContaining("it is shared"),
        fix: expect.stringMatching(/^git rm -r --cached \.context && git commit -m "[^"]+"$/),
      },
    ]);
  });

  it("is not one that an ignore file takes back in", async () => {
    await repository.write(".gitignore", "node_modules/\n.context/*\n!.context/memory_log.jsonl\n");
    await repository.sentinel(["init", "--agents", "claude"]);
    expect((await doctorIn(repository)).findings).toEqual([]);
  });
});
