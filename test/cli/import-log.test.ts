/** A session log taken along to another machine, with real files. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { testRepository } from "../support/in-test.ts";
import { Project } from "../support/project.ts";
import { eventsOf, keepTranscript, messagesOf, recordFromTheStart } from "../support/recorded.ts";
import { Session } from "../support/transcript.ts";

const LONG = Array.from({ length: 2_000 }, (_, n) => `line ${n} of the build`).join("\n");
const SECOND = "5e551012-0000-4000-8000-000000000002";

/** A project with two recorded sessions and a pin, which no test changes, and what `sessions export` wrote of it. */
let shop: Project;
let exported: string;
beforeAll(async () => {
  shop = await Project.repository();
  await recordFromTheStart(shop);
  const first = new Session({ cwd: shop.folder })
    .asks("The VAT of Acme is 24")
    .uses("Bash", { command: "npm run build" }, LONG)
    .uses("Write", { file_path: `${shop.folder}/build.txt`, content: LONG }, "written")
    .says("Done.");
  const second = new Session({ cwd: shop.folder, id: SECOND }).asks("Refund twice");
  for (const session of [first, second]) {
    await keepTranscript(shop, session);
  }
  await shop.run("sessions", "capture");
  await shop.run("pin", "Never refund on Fridays");
  exported = shop.path("~/log.jsonl");
  await shop.run("sessions", "export", exported);
});
afterAll(() => shop.remove());

/** Another machine of the same person. */
async function elsewhere(): Promise<Project> {
  const there = await testRepository();
  await there.run("sessions", "on");
  return there;
}

it("brings the same events, with the texts that were cut, and importing again adds nothing", async () => {
  const there = await elsewhere();
  const imported = await there.run("sessions", "import", exported, "--yes");
  const events = await eventsOf(shop);
  expect(imported.stdout).toBe(`Added: ${events.length} events; 0 were there already.\n`);
  expect(await eventsOf(there)).toEqual(events);
  const [result] = events.filter(({ content }) => content.truncated);
  expect((await there.run("sessions", "show", result?.id ?? "", "--full")).stdout).toContain(
    "line 1234 of the build",
  );
  const [written] = events.filter(({ content }) => content.cuts);
  expect((await there.run("sessions", "show", written?.id ?? "", "--full")).stdout).toContain(
    "line 1234 of the build",
  );
  expect((await there.run("sessions", "search", "refund Fridays")).stdout).toContain(
    "Never refund on Fridays",
  );
  const again = await there.run("sessions", "import", exported, "--yes");
  expect(again.stdout).toBe(`Added: 0 events; ${events.length} were there already.\n`);
  const back = `${there.home}/back.jsonl`;
  await there.run("sessions", "export", back);
  expect((await shop.run("sessions", "import", back, "--yes")).stdout).toContain("Added: 0 events");
});

it("asks, and adds nothing where nobody can answer, where recording is off, or to a file that is not an exported log", async () => {
  const there = await elsewhere();
  expect(await there.run("sessions", "import", exported)).toMatchObject({
    exit: 1,
    stderr: expect.stringContaining("--yes"),
  });
  expect(await there.run("sessions", "import", there.path("README.md"), "--yes")).toMatchObject({
    exit: 1,
    stderr: expect.stringContaining("No file is at"),
  });
  await there.write("notes.md", "# Notes\n");
  expect(await there.run("sessions", "import", there.path("notes.md"), "--yes")).toMatchObject({
    exit: 1,
    stderr: expect.stringContaining("is not a session log that was exported"),
  });
  expect(await eventsOf(there)).toEqual([]);
  await there.run("sessions", "off");
  expect((await there.run("sessions", "import", exported, "--yes")).stderr).toContain(
    "error not_recorded",
  );
});

it("leaves out what was purged or skipped here, what others recorded, and words that are private here", async () => {
  const here = await elsewhere();
  await here.run("sessions", "import", exported, "--yes");
  expect(await here.run("sessions", "purge", "--text", "Refund twice", "--yes")).toMatchObject({
    exit: 0,
  });
  const purged = await here.run("sessions", "import", exported, "--yes");
  expect(purged.stdout).toMatch(/Added: 0 events; .*\nNot added, purged here: 1\.\n/);
  const there = await elsewhere();
  await keepTranscript(there, new Session({ cwd: there.folder, id: SECOND }).asks("Refund twice"));
  expect(await there.run("sessions", "skip", SECOND, "--yes")).toMatchObject({ exit: 0 });
  await there.write(
    "~/.config/sentinel-memory/privacy.yaml",
    "version: 1\nnever_store: {words: [Acme]}\n",
  );
  const lines = (await shop.read(exported)).trim().split("\n");
  const others = lines.slice(1, 2).map((line) => {
    const { event } = JSON.parse(line);
    return JSON.stringify({
      event: { ...event, id: event.id.replace(/.$/, "0"), origin: "ann:1", person: "ann" },
    });
  });
  await there.write("~/more.jsonl", [...lines, ...others, '{"event":{"kind":"dream"}}'].join("\n"));
  const { stdout } = await there.run("sessions", "import", there.path("~/more.jsonl"), "--yes");
  expect(stdout).toMatch(
    /of sessions that you left out: \d+\.\nNot added, of other people: 1\.\nNot added, no events .*: 1\.\n/,
  );
  const said = await messagesOf(there);
  expect(said).toContain("Done.");
  expect(said.join()).not.toMatch(/Refund twice|Acme/);
});
