import { describe, expect, it } from "vitest";
import { providerTokens, seeded } from "../support/secret-samples.ts";
import { log, TestProject } from "./project.ts";

const TOKEN = providerTokens(seeded(1)).find(({ kind }) => kind.includes("github"))?.token ?? "";

describe("check", () => {
  it("passes a sound file, and a project without one", async () => {
    expect(await new TestProject(log()).run("check")).toMatchObject({
      exit: 0,
      stdout: ".context/memory_log.jsonl: 1 record, no secret, no conflict marker.\n",
    });
    expect(await new TestProject().run("check")).toMatchObject({ exit: 0 });
  });

  it.each([
    { fault: "a conflict marker", line: "<<<<<<< HEAD", code: "conflict_marker" },
    { fault: "a line that is no record", line: "{broken", code: "unreadable_line" },
    { fault: "a secret written by hand", line: log({ topic: "ci", lesson: `Use ${TOKEN}` }), code: "secret" },
  ])("fails on $fault and names its line, changing nothing", async ({ line, code }) => {
    const project = new TestProject(log(), line);
    const before = project.memory;
    const { exit, stdout, stderr } = await project.run("check");
    expect(exit).toBe(1);
    expect(stdout).toMatch(new RegExp(`^\\.context/memory_log\\.jsonl:2: broken ${code}: `));
    expect(stderr).toContain("check_failed");
    expect(stdout + stderr).not.toContain(TOKEN);
    expect(project.memory).toBe(before);
  });

  it("only warns of what reads all the same", async () => {
    const { exit, stdout } = await new TestProject({ ...log(), missing_context: "edited" }).run("check");
    expect(exit).toBe(0);
    expect(stdout).toContain("warning id_mismatch");
  });
});
