/** A script whose variable is empty means nothing, and is told so. */
import { expect, it } from "vitest";
import { testProject } from "../support/in-test.ts";
import { log } from "../support/lines.ts";

it("blank ids, files and topics are refused in one way, with what to give", async () => {
  const project = await testProject({ lines: [log()] });
  const before = await project.memory();
  for (const [args, what] of [
    [["export", "--output", ""], "--output <file>"],
    [["sessions", "skip", ""], "session"],
    [["pin", "--remove", " "], "--remove <id>"],
    [["purge", "", "--yes"], "id"],
    [["purge", "--word", "", "--yes"], "--word <word>"],
    [["forget", log().id, ""], "ids"],
  ] as const) {
    const { exit, stdout, stderr } = await project.run(...args);
    expect([exit, stdout], args.join(" ")).toEqual([1, ""]);
    expect(stderr).toMatch(/^error bad_argument: .* is blank, .*\nfix: Give it a value, .*\n$/);
    expect(stderr).toContain(`: ${what} is blank`);
  }
  expect(await project.memory()).toBe(before);
  expect((await project.sentinel(["--project", "", "list"])).stderr).toContain(
    "--project <dir> is blank",
  );
});

it("a blank text is for its command to judge", async () => {
  const project = await testProject({ lines: [log()] });
  expect((await project.run("search", "")).stderr).toContain("nothing to search the memory for");
  expect((await project.run("forget", log().id, "--reason", "")).stdout).toContain("Forgotten");
});
