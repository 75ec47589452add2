/** A script whose variable is empty means nothing, and is told so. */
import { expect, it } from "vitest";
import { testProject } from "../support/in-test.ts";
import { log } from "../support/lines.ts";

it("blank ids, files and topics are refused in one way, with what to give", async () => {
  const project = await testProject({ lines: [log()] });
  const before = await project.memory();
  for (const [args, what, fix] of [
    [["export", "--output", ""], "--output", "Give --output <file>, or leave it out."],
    [["sessions", "skip", ""], "The argument session", "Give it, or leave it out;"],
    [["pin", "--remove", " "], "--remove", "Give --remove <id>, or leave it out."],
    [["purge", "", "--yes"], "The argument id", "Give it, or leave it out;"],
    [["purge", "--word", "", "--yes"], "--word", "Give --word <word>, or leave it out."],
    [["forget", log().id, ""], "The argument ids", "Give it;"],
  ] as const) {
    const { exit, stdout, stderr } = await project.run(...args);
    expect([exit, stdout], args.join(" ")).toEqual([1, ""]);
    expect(stderr).toMatch(/^error bad_argument: .* is blank, .*\nfix: .*\n$/);
    expect(stderr).toContain(`: ${what} is blank`);
    expect(stderr).toContain(`fix: ${fix}`);
  }
  expect(await project.memory()).toBe(before);
  expect((await project.sentinel(["--project", "", "list"])).stderr).toContain(
    "--project is blank",
  );
});

it("a blank text is for its command to judge", async () => {
  const project = await testProject({ lines: [log()] });
  expect((await project.run("search", "")).stderr).toContain("nothing to search the memory for");
  expect((await project.run("forget", log().id, "--reason", "")).stdout).toContain("Forgotten");
});
