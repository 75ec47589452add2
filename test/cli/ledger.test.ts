/** Decisions, tasks and pins of the session log, as a person looks at them and adds to them. */
import { appendFileSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { Project } from "../support/project.ts";
import { eventsOf, keepTranscript, manifestOf, recordFromTheStart } from "../support/recorded.ts";
import { password, seeded } from "../support/secret-samples.ts";
import { Session } from "../support/transcript.ts";

const QUESTION = "Which store?";
const CONTROLS = "\u001b[31mred";

let shop: Project;
let session: Session;
beforeAll(async () => {
  shop = await Project.repository();
  await recordFromTheStart(shop);
  const asked = {
    questions: [{ question: QUESTION, options: [{ label: "Postgres" }, { label: "SQLite" }] }],
  };
  session = new Session({ cwd: shop.folder, at: Date.now() - 60_000 })
    .asks("Keep the invoices somewhere")
    .uses("AskUserQuestion", asked, `User has answered your questions: "${QUESTION}"="Postgres".`)
    .uses(
      "TaskCreate",
      { subject: `Make the table ${CONTROLS}` },
      "Task #1 created successfully: Make the table",
    )
    .uses("TaskCreate", { subject: "Test it" }, "Task #2 created successfully: Test it")
    .uses("TaskUpdate", { taskId: "1", status: "completed" }, "Updated task #1 status");
  await keepTranscript(shop, session);
  await shop.run("sessions", "capture");
});
afterAll(() => shop.remove());

it("lists decisions with what was not chosen, by words and by time", async () => {
  const { stdout } = await shop.run("decisions", "sqlite");
  expect(stdout).toMatch(
    /^evt_\w{8} {2}\d{4}-\d\d-\d\d {2}Which store\? Postgres\n {2}instead of: SQLite\n$/,
  );
  expect(await shop.json("decisions")).toMatchObject([{ decision: "Postgres", status: "active" }]);
  expect((await shop.run("decisions", "kangaroo")).stderr).toBe("None of 1 decisions matches.\n");
});

it("lists open tasks, and the others where they are asked for", async () => {
  const { stdout } = await shop.run("tasks");
  expect(stdout).toMatch(/^evt_\w{8} {2}\S+ {2}open {4}Test it \(main\)\n$/);
  const all = (await shop.run("tasks", "--all")).stdout;
  expect(all).toMatch(/done {4}Make the table .*red/);
  expect(all).not.toContain("\u001b");
});

it("pins words and events in the person's name, and takes a pin back", async () => {
  const words = await shop.run("pin", "Never push", "on Fridays", "--note", "CI sleeps");
  expect(words.stdout).toMatch(
    /^Pinned: evt_\w{8} {2}\S+ {2}Never push on Fridays \(CI sleeps\)\n$/,
  );
  const [request] = (await eventsOf(shop)).filter(({ kind }) => kind === "message");
  const event = await shop.run("pin", `evt_${request?.id.slice(-8)}`);
  expect(event.stdout).toContain(`Keep the invoices somewhere (${request?.id})`);
  expect((await eventsOf(shop)).at(-1)).toMatchObject({
    session: "command-line",
    kind: "pin",
    actor: { type: "human", id: "user" },
    content: { ref: request?.id, note: "Keep the invoices somewhere" },
    refs: [request?.id],
  });
  const again = ["Never push on Fridays", "--note", "CI sleeps"];
  const { stdout } = await shop.run("pin", ...again);
  expect(await shop.json("pin"), "it is pinned already").toHaveLength(2);
  const [, first = ""] = /(evt_\w{8})/.exec(stdout) ?? [];
  expect((await shop.run("pin", "--remove", first, "and", "this")).stderr).toContain(
    "taken back or added, not both",
  );
  expect((await shop.run("pin", "--remove", first)).stdout).toContain("Taken back: evt_");
  expect(await shop.json("pin")).toMatchObject([{ text: "Keep the invoices somewhere" }]);
  expect((await shop.run("pin", "--remove", first)).stderr).toMatch(
    /^error not_found: No pin in force/,
  );
});

it("keeps one pin of what is pinned again, with the newest note", async () => {
  const [request] = (await eventsOf(shop)).filter(({ kind }) => kind === "message");
  const id = request?.id ?? "";
  const words = "The test machine is shared";
  const calls = [
    [words],
    [words],
    [words, "--note", "by all"],
    [id],
    [id, "--note", "for the tax office"],
    [id],
  ];
  for (const call of calls) {
    expect((await shop.run("pin", ...call)).stdout).toMatch(/^Pinned: /);
  }
  const pins = (await shop.json("pin")) as { id: string }[];
  expect(pins).toMatchObject([
    { text: words, note: "by all" },
    { ref: id, note: "for the tax office" },
  ]);
  await shop.run("pin", "--remove", pins[0]?.id ?? "");
  await shop.run("pin", id, "--note", "Keep the invoices somewhere");
});

it("says in one line what was taken out of a pin, and refuses a note about nothing", async () => {
  const secret = password(seeded("pin"));
  const before = ((await shop.json("pin")) as unknown[]).length;
  await shop.run("pin", `The staging password=${secret} is shared`);
  const { stdout, stderr } = await shop.run("pin", `The staging password=${secret} is shared`);
  expect(await shop.json("pin"), "it is pinned already").toHaveLength(before + 1);
  expect(stdout).toContain("The staging password=[REDACTED] is shared");
  expect(stderr).toBe("Redacted before it was stored: password.\n");
  const [, id = ""] = /(evt_\w{8})/.exec(stdout) ?? [];
  for (const options of [[], ["--remove", id]]) {
    const refused = await shop.run("pin", "--note", "CI sleeps", ...options);
    expect([refused.exit, refused.stderr]).toEqual([
      1,
      expect.stringMatching(/bad_argument: --note .*\nfix: .*WORDS --note/),
    ]);
  }
  expect((await shop.run("pin", "--remove", id)).stdout).toContain("Taken back");
});

it("counts in sessions status the lines of the lesson that nobody can read", async () => {
  const status = async () => (await shop.run("sessions", "status")).stdout;
  expect(await status()).not.toContain("damaged");
  const events = join(dirname(await manifestOf(shop)), "events");
  const [day = ""] = readdirSync(events, { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith("l"),
  );
  appendFileSync(join(events, day), '{"id":"evt_half\nnot an event\n');
  expect(await status()).toMatch(/^damaged +2 lines$/m);
});

it("says how to turn recording on where there is no session log, and pins nothing while it is off", async () => {
  await shop.run("sessions", "off");
  const { exit, stderr } = await shop.run("pin", "Too late");
  expect([exit, stderr]).toEqual([1, expect.stringContaining("To turn it on: node ")]);
  expect(await shop.json("pin")).toHaveLength(1);
});
