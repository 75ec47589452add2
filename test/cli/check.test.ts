import { describe, expect, it } from "vitest";
import { testProject } from "../support/in-test.ts";
import { log, toFile } from "../support/lines.ts";
import { runProcess } from "../support/run-process.ts";
import { SECRET_TOKEN } from "../support/secret-token.ts";

const LOST_BREAK =
  "unreadable_line: .*several lessons on one line.*\n +fix: Put a line break between them";

describe("check", () => {
  it("passes a sound file, be it empty, and fails in a folder without one", async () => {
    expect(await (await testProject({ lines: [log()] })).run("check")).toMatchObject({
      exit: 0,
      stdout: expect.stringMatching(
        /^\.context\/memory_log\.jsonl: 1 lesson, \d+ bytes, no secret, no conflict marker\n$/,
      ),
    });
    expect(await (await testProject({ lines: [] })).run("check")).toMatchObject({ exit: 0 });
    expect(await (await testProject()).run("check")).toMatchObject({
      exit: 1,
      stderr: expect.stringMatching(
        /^error not_found: .* has no \.context\/memory_log\.jsonl to check\.\nfix: .*--project/,
      ),
    });
  });

  it.each([
    {
      fault: "a lost line break",
      line: toFile([log(), log({ topic: "b" })])
        .replace("\n", "")
        .trim(),
      code: LOST_BREAK,
    },
    {
      fault: "a secret written by hand",
      line: log({ topic: "ci", lesson: `Use ${SECRET_TOKEN}` }),
      code: "secret",
    },
  ])("fails on $fault and names its line, changing nothing", async ({ line, code }) => {
    const project = await testProject({ lines: [log(), line] });
    const before = await project.memory();
    const { exit, stdout, stderr } = await project.run("check");
    expect(exit).toBe(1);
    expect(stdout).toMatch(new RegExp(`^\\.context/memory_log\\.jsonl:2: broken ${code}`, "m"));
    expect(stderr).toContain("check_failed: 1 problem found.");
    expect(stderr, "nothing was committed").not.toContain("commit");
    expect(stdout + stderr).not.toContain(SECRET_TOKEN);
    expect(await project.memory()).toBe(before);
  });

  it("fails where a list of own words cannot be read, with or without a memory", async () => {
    for (const lines of [[log()], undefined]) {
      const project = await testProject({
        ...(lines && { lines }),
        files: { ".context/policies/privacy.yaml": "version: 1\nnever_store: Acme\n" },
      });
      const { exit, stderr } = await project.run("check");
      expect(exit).toBe(1);
      expect(stderr).toContain(
        "error privacy_unreadable: .context/policies/privacy.yaml, line 2: ",
      );
      expect(stderr).not.toContain("Acme");
    }
  });

  it.each([
    "memory_log (Ann's conflicted copy 2026-11-20).jsonl",
    "memory_log.sync-conflict-20261120-101010-ABCDEFG.jsonl",
  ])("and doctor name the copy that a file sync left: %s", async (name) => {
    const [here, there] = [log(), log({ topic: "there" })];
    const project = await testProject({
      lines: [here],
      files: { [`.context/${name}`]: toFile([there]) },
    });
    const { exit, stdout } = await project.run("check");
    expect(exit).toBe(0);
    expect(stdout).toContain(
      `.context/memory_log.jsonl: warning conflict_copy: .context/${name} looks like a copy`,
    );
    expect((await project.run("check", "--strict")).exit).toBe(1);
    const [, command = ""] = /fix: (node .* import .*), then delete the copy/.exec(stdout) ?? [];
    expect((await project.run("doctor")).stdout).toContain(`.context/${name} looks like a copy`);
    const imported = await runProcess("sh", ["-c", command], project.place());
    expect(imported.stdout).toBe("Imported: 1 new, 0 newer, 0 known.\n");
  });

  it("only warns of what reads all the same", async () => {
    const { exit, stdout } = await (
      await testProject({ lines: [log({ meta: { created: "yesterday" } })] })
    ).run("check");
    expect(exit).toBe(0);
    expect(stdout).toContain("warning unreadable_date");
  });
});
