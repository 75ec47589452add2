/** A command or an option by its old name fails, and names the same line with the new one. */
import { dirname } from "node:path";
import { expect, it } from "vitest";
import { testProject } from "../support/in-test.ts";
import { BIN } from "../support/project.ts";
import { runProcess } from "../support/run-process.ts";

it.each([
  ["record on --keep-days 90", "sessions on --keep-days 90"],
  ["record list", "sessions list --projects"],
  ["record sessions --since 7d", "sessions list --since 7d"],
  ["record", "sessions"],
  ["serve --port 7331", "daemon serve --port 7331"],
  ["serve token create --person ann --group acme", "daemon token create --person ann --group acme"],
  ["policies --json", "config --json"],
  ["review --yes f-1", "review --keep f-1"],
  ["review --keep f-1 --hold", "review --keep f-1 --block"],
  ["edit 3f2a91c0 --no-hold", "edit 3f2a91c0 --no-block"],
  ["history --given", "history --hooks"],
  ["review --yes=f-1", 'review "--keep=f-1"'],
  ["record on --help", "sessions on --help"],
  ["policies -h", "config -h"],
  ["help record", "help sessions"],
  ["help record list", "help sessions list"],
  ["help serve token", "help daemon token"],
  ["RECORD On --keep-days 90", "sessions on --keep-days 90"],
])("%s", async (was, is) => {
  const project = await testProject();
  const { exit, stdout, stderr } = await project.sentinel(was.split(" "));
  expect([exit, stdout]).toEqual([1, ""]);
  const [, fix = ""] = /^error bad_argument: .*\nfix: (.*)\n$/.exec(stderr) ?? [];
  expect(fix.endsWith(`cli.mjs ${is}`), stderr).toBe(true);
  const [, program = ""] = /^node (\S+) /.exec(fix) ?? [];
  expect(program).toMatch(/cli\.mjs$/);
});

it("an old option as the value of another one is taken as it is", async () => {
  const project = await testProject();
  const { exit } = await project.sentinel([
    ...["add", "--topic", "cli", "--missing", "options were renamed"],
    ...["--lesson", "say --block instead of --hold"],
  ]);
  expect(exit).toBe(0);
});

it.each([["--project", "app"], ["--project=app"]])("keeps the project of %s", async (...option) => {
  const project = await testProject();
  const place = { ...project.place(), cwd: dirname(project.folder) };
  const args = [BIN, ...option, "review", "--yes", "f-1"];
  const { stderr } = await runProcess(process.execPath, args, place);
  expect(stderr).toMatch(/fix: node \S+ --project app review --keep f-1\n$/);
});
