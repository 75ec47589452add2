/** What failed again in past sessions: shown before any set-up, after one question, with nothing written anywhere. */
import { readFile, stat } from "node:fs/promises";
import { expect, it } from "vitest";
import { filesBelow } from "../support/files-below.ts";
import { testRepository } from "../support/in-test.ts";
import type { Project } from "../support/project.ts";
import { keepTranscript } from "../support/recorded.ts";
import { SECRET_TOKEN } from "../support/secret-token.ts";
import { Session } from "../support/transcript.ts";
import { typing } from "../support/typing.ts";

const NO_BUN = "Exit code 2\nerror: unrecognized subcommand 'bun'\n\nUsage: rtk [OPTIONS]";

/** A project with past sessions and no set-up. */
async function shopWithPast(): Promise<Project> {
  const shop = await testRepository({ "a.ts": "" });
  for (const at of [1, 2, 3]) {
    await keepTranscript(shop, sessionOf(shop, at));
  }
  const secret = sessionOf(shop, 4, "<private-session>\nRun the tests");
  await keepTranscript(shop, secret);
  const elsewhere = new Session({ id: uuid(5), cwd: shop.home, at: Date.now() });
  for (const _ of [1, 2]) {
    elsewhere.uses("Bash", { command: "foo x" }, "error: unknown option x");
  }
  await keepTranscript(shop, elsewhere.says("Done."));
  return shop;
}

const uuid = (at: number) => `5e55101${at}-0000-4000-8000-000000000001`;

function sessionOf(shop: Project, at: number, request = "Run the tests"): Session {
  const session = new Session({ id: uuid(at), cwd: shop.folder, at: Date.now() - at * 3_600_000 });
  session.asks(request).uses("Bash", { command: "rtk bun run test" }, NO_BUN, { error: true });
  session.uses("Bash", { command: "bun run test" }, "all passed");
  for (let failure = 0; failure < 7; failure++) {
    const command = `TOKEN=${SECRET_TOKEN} shopctl ${"abcdefg"[failure]}step --now`;
    const output = `Exit code 1\nerror: unknown command '${"abcdefg"[failure]}step' of ${SECRET_TOKEN}`;
    session.uses("Bash", { command }, output, { error: true });
  }
  return session.says("Done.");
}

/** Every file below the home folder and in the project, with its content and its time. */
async function everything(shop: Project): Promise<unknown[]> {
  const paths = [...filesBelow(shop.home), ...filesBelow(shop.folder)].sort();
  return Promise.all(
    paths.map(async (path) => [path, await readFile(path, "latin1"), (await stat(path)).mtimeMs]),
  );
}

it("prints the five that came back most, each as a lesson without a secret, and writes nothing", async () => {
  const shop = await shopWithPast();
  const before = await everything(shop);
  const { exit, stdout, stderr } = await shop.run("mine", "--yes");
  expect([exit, stderr]).toEqual([0, expect.stringContaining("Nothing was written.")]);
  expect(stdout.match(/^as a lesson:$/gm)).toHaveLength(5);
  expect(stdout).toMatch(/^1\.\n {2}failed +3 times in 3 sessions, last on /);
  expect(stdout).toMatch(/^ {2}lesson +Do it like this, which worked: bun run test$/m);
  expect(stdout).toMatch(/^ {2}when +command: rtk bun; error: error: unrecognized subcommand/m);
  expect(stdout).not.toContain(SECRET_TOKEN);
  expect(await everything(shop)).toEqual(before);

  const lessons = (await shop.json("mine", "--yes", "--json")) as { when: string }[];
  expect(lessons).toHaveLength(5);
  expect(lessons[0]).toMatchObject({ topic: expect.any(String), failed: expect.any(String) });
  expect(await everything(shop)).toEqual(before);
});

it("reads nothing without a yes", async () => {
  const shop = await shopWithPast();
  const script = await shop.run("mine");
  expect([script.exit, script.stdout]).toEqual([1, ""]);
  expect(script.stderr).toMatch(/^error bad_argument: [\s\S]*\nfix: Give --yes/m);
  const shown = await typing(shop, ["mine"], { asked: /\[y\/N\] /g, answers: ["n"] });
  expect(shown).not.toContain("as a lesson");
});

it("says so if nothing failed again, and leaves out what a lesson already says", async () => {
  const shop = await testRepository({ "a.ts": "" });
  await keepTranscript(shop, sessionOf(shop, 1));
  const none = await shop.run("mine", "--yes");
  expect([none.exit, none.stdout]).toEqual([0, ""]);
  expect(none.stderr).toContain("Read 1 transcript. No recurring failure");

  const known = await shopWithPast();
  const lesson = ["--missing", "rtk bun", "--lesson", "No rtk.", "--when", "command: rtk bun"];
  await known.run("add", "--topic", "rtk", ...lesson);
  expect((await known.run("mine", "--yes")).stdout).not.toContain("rtk bun fails here");
});
