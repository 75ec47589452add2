/** Recording in every layout of a repository, as people have them: by the hook, by the command and by the server. */

import { realpathSync } from "node:fs";
import { rename } from "node:fs/promises";
import { relative } from "node:path";
import { expect, it } from "vitest";
import { git, LAYOUTS, type Layout } from "../support/git-layouts.ts";
import { testFolder, testRepository } from "../support/in-test.ts";
import { BIN, Project } from "../support/project.ts";
import { keepTranscript } from "../support/recorded.ts";
import { runProcess } from "../support/run-process.ts";
import { withServer } from "../support/server.ts";
import { eventsOnce, RecordedSession } from "../support/session-hooks.ts";
import { Session } from "../support/transcript.ts";

/** Those in which git names another folder than the working folder; the list of folders is tested in all layouts. */
const NAMED_OTHERWISE = [
  "submodule",
  "bare repository in the folder of its worktrees",
  "core.worktree",
] as const;
const said = (events: readonly { readonly content: object }[]) =>
  JSON.stringify(events.map(({ content }) => content));
const id = (at: number) => `5e55101${at}-0000-4000-8000-000000000001`;

it.each(NAMED_OTHERWISE)(
  "%s: the hook at Stop, capture --all and the server record, under the project's name",
  async (layout) => {
    const home = realpathSync(testFolder());
    const { folder, project: name = folder } = LAYOUTS[layout](home) as Layout;
    const shop = new Project(home, relative(home, folder));
    const at = Date.parse("2026-11-20T09:00:00.000Z");
    await keepTranscript(
      shop,
      new Session({ id: id(1), cwd: folder, at }).asks("The past").says("It is over."),
    );
    const on = await shop.run("sessions", "on");
    expect(on.stdout).toContain(`Recording is on, from now on: ${name}\n`);
    expect(on.stdout).toContain("The past is not recorded: ");
    expect((await shop.run("sessions", "capture", "--all", "--yes")).stdout).toContain(
      "Recorded 3 events",
    );
    const agent = new RecordedSession(shop, id(2));
    await agent.turn((session) => session.asks("Fix the VAT").says("The rate was wrong."));
    expect(await agent.hook("Stop", { stop_hook_active: false })).toMatchObject([{ exit: 0 }]);
    const events = await eventsOnce(shop, (all) => said(all).includes("The rate was wrong."));
    expect(said(events)).toContain("The rate was wrong.");
    expect(new Set(events.map(({ place }) => place?.worktree))).toEqual(new Set([folder]));
    const later = new RecordedSession(shop, id(3));
    await later.turn((session) => session.asks("Round the cents").says("Half up."));
    await withServer({ args: [BIN, "--project", folder], env: shop.env }, async (server) => {
      expect(await server.ask("build_acb", { query: "How do cents round?" })).toContain("Half up.");
    });
    expect(git(folder, "status", "--short")).not.toContain("settings.local.json");
  },
);

it("a repository that git refuses gets no second log, and nothing that is said meanwhile is lost", async () => {
  const shop = await testRepository();
  await shop.run("sessions", "on");
  const refusing = (...args: string[]) => {
    const env = { ...shop.env, GIT_TEST_ASSUME_DIFFERENT_OWNER: "1" };
    return runProcess(process.execPath, [BIN, "--project", shop.folder, ...args], {
      cwd: shop.folder,
      env,
    });
  };
  await new RecordedSession(shop).turn((session) => session.asks("Fix the VAT").says("Fixed."));
  for (const words of [
    "sessions on",
    "diff",
    "history",
    "init --private",
    "sessions export out.jsonl",
  ]) {
    expect(await refusing(...words.split(" ")), words).toMatchObject({
      exit: 1,
      stdout: "",
      stderr: expect.stringMatching(
        /^error git_refused: .*dubious ownership.*\nfix: git config --global --add safe\.directory \S+\n$/,
      ),
    });
  }
  expect(await refusing("sessions", "status")).toMatchObject({
    stdout: expect.stringMatching(
      /^warning .*\n +fix: git config --global --add safe\.directory .*\nok +Recording is on since/,
    ),
  });
  expect((await refusing("sessions", "capture")).stdout).toContain("Recorded 3 events");
  expect(await shop.json("sessions", "list", "--projects")).toHaveLength(1);
  expect(await shop.json("sessions", "status")).toMatchObject({
    status: "on",
    events: 3,
  });
  expect((await shop.run("sessions", "status")).stdout).not.toContain("safe.directory");
});

it("capture --was reads what was said before the project was renamed, and takes no folder of another project", async () => {
  const shop = await testRepository();
  await keepTranscript(shop, new Session({ cwd: shop.folder }).asks("Fix the VAT").says("Fixed."));
  const renamed = new Project(shop.home, "app-of-2027");
  await rename(shop.folder, renamed.folder);
  await renamed.run("sessions", "on");
  const all = ["sessions", "capture", "--all", "--yes"];
  expect((await renamed.run(...all)).stdout).toContain(
    `sessions capture --all --was ${shop.folder}\n`,
  );
  await renamed.write("~/other/.git/HEAD", "ref: refs/heads/main\n");
  for (const was of [renamed.folder, renamed.path("~/other")]) {
    expect((await renamed.run(...all, "--was", was)).stderr, was).toContain(
      "error bad_argument: The sessions of",
    );
  }
  expect((await renamed.run(...all, "--was", shop.folder)).stdout).toContain("Recorded 3 events");
  expect((await renamed.run(...all, "--was", shop.folder)).stdout).toContain("Recorded 0 events");
});
