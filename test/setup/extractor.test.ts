/** A command of the person's own that is asked for lessons: off, agreed to, given what is stored and no more, and counted. */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import type { Project } from "../support/project.ts";
import { eventsOf, keepTranscript, manifestOf } from "../support/recorded.ts";
import { recordedRepository } from "../support/recorded-repository.ts";
import { SECRET_TOKEN } from "../support/secret-token.ts";
import { Session } from "../support/transcript.ts";

const SETTINGS = "~/.config/sentinel-memory/record.yaml";
const UNHURRIED_POLL = { timeout: 30_000 };
const NOTHING =
  /^error bad_argument: Your settings name no extractor\.\nfix: Name one in .*record\.yaml/m;

/** Keeps what it was given and where it ran, and answers with a lesson of the event that tells of Globex, and with one of no event. */
const COMMAND = `
import { writeFileSync } from "node:fs";
const [, , kept, answers] = process.argv;
let text = "";
for await (const part of process.stdin) text += part;
writeFileSync(kept, JSON.stringify({ text, cwd: process.cwd() }));
const event = /^(evt_\\w+) human: .*staging/m.exec(text)?.[1];
const said = { topic: "staging", missing_context: "Which database staging uses", lesson: "Staging reads replica two: ask before a migration." };
const [reference] = /^\\w{8}@\\w+(?= staging: )/m.exec(text) ?? [];
if (answers === "hangs") {
  const ended = (is) => writeFileSync(kept, JSON.stringify({ text, cwd: process.cwd(), ended: is }));
  process.on("SIGTERM", () => process.exit(ended(true)));
  ended(false);
  process.kill(process.ppid, "SIGINT");
  setInterval(() => undefined, 1_000);
} else if (answers === "rubbish") console.log("I found no lessons today.");
else if (answers === "no trigger") console.log(JSON.stringify([{ event, ...said, when: "word: stag.*" }]));
else console.log("Here:\\n" + JSON.stringify([{ event, ...said, type: "gotcha", tags: ["db"], when: "word: staging", replaces: [reference, "ffffffff"] }, { event: "evt_invented", ...said, lesson: "Invented." }]));
`;

async function shopWith(answers = "well", more = "") {
  const shop = await recordedRepository();
  await shop.write("~/extractor.mjs", COMMAND);
  const kept = shop.path("~/kept.json");
  const words = [process.execPath, shop.path("~/extractor.mjs"), kept, answers];
  await shop.write(SETTINGS, `version: 1\nextractor: ${JSON.stringify(words)}\n${more}`);
  const session = new Session({ cwd: shop.folder, at: Date.parse("2026-02-03T10:00:00Z") })
    .asks(`Why does staging lag? The key is ${SECRET_TOKEN}. <private>Globex called</private>`)
    .uses(
      "Bash",
      { command: "docker-compose up db" },
      "Exit code 127\ndocker-compose: command not found",
      {
        error: true,
      },
    )
    .uses("Bash", { command: "ls" }, "README.md")
    .uses("Bash", { command: "docker compose up db" }, "Started")
    .says("It reads replica two.");
  await keepTranscript(shop, session);
  await shop.run("sessions", "capture");
  return {
    shop,
    session,
    given: async () =>
      JSON.parse(await shop.read(kept)) as { text: string; cwd: string; ended: boolean },
  };
}

const ask = (shop: Project, ...more: string[]) =>
  shop.run("import", "--from", "extractor", ...more);
const offered = async (shop: Project) =>
  (await shop.json("review", "--json")) as { id: string; lesson: string; from: string }[];

it("is nothing before the person's own settings name it: a project's do not", async () => {
  const shop = await recordedRepository();
  await shop.write(".context/policies/record.yaml", "version: 1\nextractor: [touch, x]\n");
  expect((await ask(shop, "--yes")).stderr).toMatch(NOTHING);
});

it("gets a session without secrets and private passages once a person agreed, and what it answers waits for a yes", async () => {
  const { shop, given } = await shopWith();
  const dry = await ask(shop, "--dry-run", "--yes");
  expect([dry.exit, dry.stderr]).toEqual([
    1,
    expect.stringContaining("A dry run would give the extractor a session."),
  ]);
  // A word that was named after the session was recorded.
  await shop.write(
    "~/.config/sentinel-memory/privacy.yaml",
    "version: 1\nnever_store: {words: [lag]}\n",
  );
  const asked = await ask(shop);
  expect([asked.exit, asked.stderr]).toEqual([
    1,
    expect.stringMatching(/tokens of session .* may send them to others/),
  ]);
  await expect(given()).rejects.toThrow();

  const read = await ask(shop, "--yes");
  expect([read.exit, read.stdout]).toEqual([
    0,
    expect.stringContaining("1 note waits on this machine"),
  ]);
  expect(read.stderr).toContain(
    "Not taken, as no lesson with its event and all fields: 1 item of the answer.",
  );
  expect(read.stderr).toContain('{"event":"evt_invented","topic":"staging"');
  const { text, cwd } = await given();
  expect(text).toContain("It reads replica two.");
  expect(text).toContain("docker-compose: command not found");
  expect(text, "what worked afterwards is the lesson").toContain(
    "afterwards worked: docker compose up db",
  );
  expect(text).not.toContain("README.md");
  for (const hidden of [SECRET_TOKEN, "Globex", "lag?"]) {
    expect(text).not.toContain(hidden);
  }
  expect(cwd.startsWith(shop.folder)).toBe(false);
  expect(await shop.changes()).toBe("");

  const [note] = await offered(shop);
  expect(note).toMatchObject({
    from: "extractor",
    lesson: expect.stringContaining("replica two"),
    when: "word: staging",
  });
  await shop.run("review", "--keep", note?.id ?? "");
  const [lesson] = await shop.lessons();
  const first = (await eventsOf(shop)).find(({ kind }) => kind === "message");
  expect(lesson?.meta.from).toBe(first?.id);
  // It was agreed to, and there is nothing more to read.
  expect((await ask(shop)).stderr).toContain("has read every session that is over");
  expect(await offered(shop)).toEqual([]);
});

it("gets the lessons on the topic, and the one that its answer corrects is named and replaced", async () => {
  const { shop, given } = await shopWith();
  const wrong = ["--missing", "Where staging reads", "--lesson", "Staging reads the primary."];
  await shop.run("add", "--topic", "staging", ...wrong);
  await shop.run("add", "--topic", "mail", "--missing", "Gmail clips", "--lesson", "Inline CSS.");
  await ask(shop, "--yes");
  const { text } = await given();
  expect(text).toMatch(/^\w{8}@\w+ staging: Where staging reads -> Staging reads the primary\.$/m);
  expect(text).not.toContain("Gmail clips");

  const [note] = await offered(shop);
  const { stdout } = await shop.run("review");
  expect(stdout).toMatch(/^ {2}replaces +\w{8}@\w+ {2}staging: Staging reads the primary\.$/m);
  const kept = await shop.run("review", "--keep", note?.id ?? "");
  expect(kept.stdout).toMatch(/^Replaced: \w{8} {2}staging: Staging reads the primary\./m);
  const lessons = await shop.lessons();
  expect(lessons.map(({ topic }) => topic).sort()).toEqual(["mail", "staging"]);
  expect(lessons.map(({ lesson }) => lesson).join()).toContain("replica two");
});

it("keeps a lesson whose trigger could never match, without the trigger", async () => {
  const { shop } = await shopWith("no trigger");
  await ask(shop, "--yes");
  const [note] = (await offered(shop)) as { when?: string }[];
  expect(note).not.toHaveProperty("when");
});

it("reads several sessions in one run, up to the day's limit", async () => {
  const { shop } = await shopWith("well", "extractor_runs_a_day: 2\n");
  for (const at of [4, 5]) {
    const id = `5e55101${at}-0000-4000-8000-000000000001`;
    const session = new Session({
      id,
      cwd: shop.folder,
      at: Date.parse(`2026-02-0${at}T10:00:00Z`),
    });
    await keepTranscript(shop, session.asks("Why does staging lag?").says("No idea."));
  }
  await shop.run("sessions", "capture");
  const { stderr, stdout } = await ask(shop, "--yes");
  expect(stderr.match(/^Read: \d+ tokens of session /gm)).toHaveLength(2);
  expect(stderr).toContain("Left for another day: 1 session.");
  expect(stdout).toContain("2 notes wait on this machine");
});

it("counts what it was given against the day's limits, also where it fails, and asks again for another command", async () => {
  const { shop } = await shopWith("rubbish", "extractor_runs_a_day: 1\n");
  expect((await ask(shop, "--yes")).stderr).toMatch(
    /^error extractor_failed: .* answered no such list: I found no lessons today\.\nfix: /m,
  );
  expect((await shop.run("sessions", "status")).stdout).toMatch(
    /^extractor +.*rubbish: 1 run and \d+ tokens today$/m,
  );
  expect((await ask(shop)).stderr).toMatch(/^error over_limit: The extractor had 1 run/m);
  await shop.write(SETTINGS, "version: 1\nextractor: [no-such-program]\n");
  expect((await ask(shop)).stderr).toMatch(
    /^error bad_argument: "no-such-program" gets \d+ tokens/m,
  );
  expect((await ask(shop, "--yes")).stderr).toContain("error extractor_failed");
});

it("leaves neither its folder nor its process behind where somebody ends it", async () => {
  const { shop, given } = await shopWith("hangs");
  const { exit, stderr } = await ask(shop, "--yes");
  expect([exit, stderr]).toEqual([1, expect.stringContaining("error extractor_failed")]);
  // The extractor writes what is read here until it ends.
  await expect.poll(async () => (await given()).ended, UNHURRIED_POLL).toBe(true);
  expect(existsSync((await given()).cwd)).toBe(false);
  expect(await offered(shop)).toEqual([]);
});

it("that is named in a text and not in a list says so", async () => {
  const { shop } = await shopWith();
  await shop.write(SETTINGS, "version: 1\nextractor: claude -p\n");
  const { exit, stderr } = await ask(shop, "--yes");
  expect([exit, stderr]).toEqual([
    1,
    expect.stringMatching(/^error bad_argument: .*record\.yaml.*extractor.*list/m),
  ]);
});

it("loses what a purge takes of its session", async () => {
  const { shop, session } = await shopWith();
  await ask(shop, "--yes");
  const { stdout } = await shop.run("sessions", "purge", session.id, "--yes");
  expect(stdout).toContain("1 note waiting for a review");
  expect(await offered(shop)).toEqual([]);
  expect(
    await shop.read(join(dirname(await manifestOf(shop)), "candidate-notes.json")),
  ).not.toContain("replica");
});
