/** Looking at what was recorded, as a person does. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { testRepository } from "../support/in-test.ts";
import { Project } from "../support/project.ts";
import { eventsOf, keepTranscript, recordFromTheStart } from "../support/recorded.ts";
import { recordedRepository } from "../support/recorded-repository.ts";
import { Session } from "../support/transcript.ts";

const LATER_ID = "5e551022-0000-4000-8000-000000000002";
/** What a terminal would obey: a colour, a title, a bell, a return, a change of direction. */
const CONTROLS = "\u001b[31mred\u001b]0;title\u0007\u0008\r\u009b1m\u202egnp.exe";

let shop: Project;
let first: Session;
let later: Session;
beforeAll(async () => {
  shop = await Project.repository({ "src/vat.ts": "export const rate = 19;\n" });
  await recordFromTheStart(shop);
  const edit = { file_path: shop.path("src/vat.ts"), old_string: "19", new_string: "7" };
  const at = Date.parse("2026-11-20T09:30:45Z");
  first = new Session({ cwd: shop.folder, at })
    .asks("<command-name>/clear</command-name>")
    .asks("Add the reduced rate of VAT to every invoice that is for books")
    .uses("TaskCreate", { subject: "Add the rate" }, "Task #1 created successfully: Add the rate")
    .uses("TaskCreate", { subject: "Test it" }, "Task #2 created successfully: Test it")
    .uses("Edit", edit, "Updated.")
    .uses("TaskUpdate", { taskId: "1", status: "completed" }, "Updated task #1 status")
    .uses("Bash", { command: "npm test" }, `Exit code 1\n${CONTROLS}`, { error: true })
    .uses("Bash", { command: "npm run lint" }, "Exit code 1", { error: true })
    .uses("Bash", { command: "npm run lint" }, "Fine")
    .goTo(shop.folder, "fix/vat")
    .uses("Bash", { command: "git commit -m x" }, "[fix/vat f59e610] Add the rate")
    .says("The reduced rate is in.");
  later = new Session({
    id: LATER_ID,
    cwd: shop.folder,
    at: Date.parse("2026-11-21T09:30:30Z"),
  }).asks("Go on");
  await keepTranscript(shop, first);
  await keepTranscript(shop, later);
  const childAgent = new Session({ id: first.id, cwd: shop.folder, agentId: "a1", at })
    .asks("Look")
    .says("Seen.");
  await shop.write(
    `${await keepTranscript(shop, first)}`.replace(".jsonl", "/subagents/agent-a1.jsonl"),
    childAgent.text,
  );
  await shop.run("sessions", "capture");
});
afterAll(() => shop.remove());

it("tells of each session when, who, where, what was asked and what came of it", async () => {
  const { stdout, exit } = await shop.run("sessions", "list");
  expect(exit).toBe(0);
  expect(stdout.split("\n")).toEqual([
    `${later.id}  2026-11-21 09:30 UTC  claude-code  main  broken off`,
    "  Go on",
    "  2 events",
    `${first.id}  2026-11-20 09:30–09:31 UTC  claude-code  main > fix/vat  finished`,
    "  Add the reduced rate of VAT to every invoice that is for books",
    "  > The reduced rate is in.",
    "  1 file changed (src/vat.ts) · 1 of 2 tasks done · 2 failed, 2 settled · commit f59e610 · 1 child agent · 20 events",
    "",
  ]);
  expect(await shop.json("sessions", "list")).toMatchObject([
    { session: later.id },
    {
      session: first.id,
      files: ["src/vat.ts"],
      tasks: { done: 1, all: 2 },
      failed: 2,
      settled: 2,
      branches: ["main", "fix/vat"],
    },
  ]);
});

it("shows a session by the beginning of its id, and an event with what came before and after", async () => {
  expect((await shop.run("sessions", "show", first.id.slice(0, 5))).stderr).toContain(
    `ambiguous: 2 sessions begin with "5e551": 5e5510`,
  );
  const session = await shop.run("sessions", "show", first.id.slice(0, 8));
  expect(session.exit).toBe(0);
  expect(session.stdout).toContain(
    "Add the reduced rate of VAT to every invoice that is for books",
  );
  expect(session.stderr).toBe("");
  const failed = (await eventsOf(shop)).find(({ content }) => content.outcome === "failed");
  const { stdout } = await shop.run("sessions", "show", failed?.id ?? "");
  const lines = stdout.trimEnd().split("\n");
  expect(lines[2]).toContain("call Bash");
  expect(lines).toContain(failed?.id);
  expect(stdout).toContain("  command    npm test");
  expect(lines.at(-1)).toContain("call Bash        npm run lint");
  expect(await shop.json("sessions", "show", failed?.id ?? "")).toMatchObject({
    event: { id: failed?.id },
    before: [{}, {}, {}],
  });
  expect(await shop.json("sessions", "show", first.id)).toMatchObject({
    session: first.id,
    tasks: { done: 1 },
  });
});

it("lets no control character of a tool's output reach the terminal", async () => {
  const events = await eventsOf(shop);
  const failed = events.find(({ content }) => content.outcome === "failed");
  expect(failed?.content.excerpt_text).toContain("\u001b[31mred");
  for (const args of [
    ["history"],
    ["sessions", "list"],
    ["sessions", "show", first.id],
    ["sessions", "show", failed?.id ?? ""],
  ]) {
    for (const more of [[], ["--json"]]) {
      const { stdout } = await shop.run(...args, ...more);
      expect(stdout).not.toMatch(/[^\P{Cc}\n\t]|[\u202a-\u202e]/u);
    }
  }
});

it("says what to do where there is nothing to show", async () => {
  const shop = await testRepository();
  expect((await shop.run("sessions", "list")).stderr).toContain("sessions on");
  await recordFromTheStart(shop);
  expect((await shop.run("sessions", "list")).stderr).toContain("sessions capture");
  const { exit, stderr } = await shop.run("sessions", "show", "evt_01KJ844YNTMDH6521Q517KPCB1");
  expect([exit, stderr.includes("error not_found")]).toEqual([1, true]);
  for (const name of ["zzzz9999", LATER_ID]) {
    const unknown = await shop.run("sessions", "show", name);
    expect([unknown.exit, unknown.stderr]).toEqual([
      1,
      expect.stringMatching(
        /^error not_found: No session that is recorded here begins with ".{8,40}"\.\nfix: .*sessions list/,
      ),
    ]);
  }
  await keepTranscript(shop, new Session({ id: LATER_ID, cwd: shop.folder }).asks("Not this"));
  await shop.run("sessions", "skip", LATER_ID, "--yes");
  for (const name of [LATER_ID, "5e55"]) {
    expect((await shop.run("sessions", "show", name)).stderr).toContain(
      `Session ${LATER_ID} was left out of the session log`,
    );
  }
});

it("refuses options that do not go together", async () => {
  const shop = await testRepository();
  for (const options of [["--json"], ["--hooks", "--json"]]) {
    const { exit, stderr } = await shop.run("history", ...options);
    expect([exit, stderr]).toEqual([1, expect.stringContaining("bad_argument")]);
  }
});

it("shows whole texts where they are asked for, also those that were cut", async () => {
  const shop = await recordedRepository();
  const answer = Array.from({ length: 4_000 }, (_, line) => `line ${line}`).join("\n");
  const session = new Session({ cwd: shop.folder })
    .asks(`Do it\n${"at length ".repeat(50)}so`)
    .uses("Bash", { command: "seq" }, answer);
  await keepTranscript(shop, session);
  await shop.run("sessions", "capture");
  const short = await shop.run("sessions", "show", session.id);
  expect(short.stdout.split("\n").every((line) => line.length <= 160)).toBe(true);
  const full = await shop.run("sessions", "show", session.id, "--full");
  expect(full.stdout).toContain("at length so");
  expect(full.stdout).toContain("  line 2000\n");
  const [result] = (await eventsOf(shop)).filter(({ kind }) => kind === "tool_result");
  const part = (await shop.run("sessions", "show", result?.id ?? "")).stdout;
  expect(part).toMatch(/ line 19\n +\[… cut here: --full shows the whole text …\]\n/);
  expect(part).not.toContain("line 20\n");
  expect((await shop.run("sessions", "show", result?.id ?? "", "--full")).stdout).toContain(
    "line 2000\n",
  );
});

it("lists the sessions that ended since a time, and refuses what is not a time", async () => {
  const since = async (time: string) => {
    const { stdout, stderr, exit } = await shop.run("sessions", "list", "--since", time);
    return { exit, stderr, sessions: [first.id, later.id].filter((id) => stdout.includes(id)) };
  };
  expect((await since("2026-11-20T09:31:00Z")).sessions).toEqual([first.id, later.id]);
  expect((await since("2026-11-21")).sessions).toEqual([later.id]);
  expect(await since("2026-11-30")).toEqual({
    exit: 0,
    stderr: "None of 2 sessions is that new.\n",
    sessions: [],
  });
  expect(await shop.json("sessions", "list", "--since", "2026-11-21")).toMatchObject([
    { session: later.id },
  ]);
  for (const rubbish of ["1x", "2026-13-45"]) {
    const { exit, stderr } = await since(rubbish);
    expect([exit, stderr]).toEqual([1, expect.stringContaining("neither an age nor a date")]);
  }
});

it("says the same of a session's end in words and as JSON, also while it may still run", async () => {
  const now = new Session({
    id: "5e551033-0000-4000-8000-000000000003",
    cwd: shop.folder,
    at: Date.now() - 60_000,
  });
  await keepTranscript(shop, now.asks("Go on").says("Done."));
  await shop.run("sessions", "capture");
  for (const [{ id }, end] of [
    [now, "still running"],
    [first, "finished"],
  ] as const) {
    expect((await shop.run("sessions", "show", id)).stdout.split("\n")[0]).toContain(`  ${end}`);
    expect(await shop.json("sessions", "show", id)).toMatchObject({ session: id, end });
  }
  const [newest] = (await shop.json("sessions", "list")) as { end: string }[];
  expect(newest?.end).toBe("still running");
});

it("takes an event's id, whole or as it prints it", async () => {
  const [event] = (await eventsOf(shop)).filter(({ content }) => content.outcome === "failed");
  const id = event?.id ?? "";
  const { stdout } = await shop.run("sessions", "show", first.id);
  const printed = /^(evt_\S{8}) {2}\S+ {2}failed: Bash/m.exec(stdout)?.[1] ?? "";
  expect(id.endsWith(printed.slice("evt_".length))).toBe(true);
  for (const name of [printed, printed.toLowerCase(), id]) {
    expect(await shop.json("sessions", "show", name)).toMatchObject({ event: { id } });
  }
  for (const name of ["evt_0", "evt_NOSUCH"]) {
    expect((await shop.run("sessions", "show", name)).stderr).toContain("error not_found");
  }
  expect((await shop.run("sessions", "purge", printed, "--yes")).stdout).toContain(
    "1 event (tool_result 1)",
  );
});
