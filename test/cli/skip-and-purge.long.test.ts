/** What a person skips or purges is in no file of the session log, and no capture brings it back. */
import { rmSync, utimesSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { PurgedList } from "../../src/sessions/files/purged-list.ts";
import { filesWith } from "../support/files-with.ts";
import { testRepository } from "../support/in-test.ts";
import type { Project } from "../support/project.ts";
import { eventsOf, keepTranscript, manifestOf, messagesOf } from "../support/recorded.ts";
import { recordedRepository } from "../support/recorded-repository.ts";
import { withServer } from "../support/server.ts";
import { Session } from "../support/transcript.ts";

const OTHER_ID = "5e551022-0000-4000-8000-000000000002";
const WORD = "heliotrope";

async function recordedShop(): Promise<{
  shop: Project;
  session: Session;
  path: string;
  other: string;
}> {
  const shop = await recordedRepository({ "src/vat.ts": "export const rate = 19;\n" });
  const output = `Exit code 1\n${"not ok\n".repeat(3_000)}the ${WORD} rate\n${"not ok\n".repeat(3_000)}`;
  const session = new Session({ cwd: shop.folder })
    .asks("Fix the rate")
    .uses("TodoWrite", { todos: [{ content: `Ask about ${WORD}`, status: "pending" }] }, "Done")
    .uses("Bash", { command: "npm test" }, output, { error: true })
    .add({ type: "queue-operation", operation: "enqueue", content: `also "${WORD}"` })
    .says(`It was "${WORD}".`);
  const path = await keepTranscript(shop, session);
  const later = Date.parse("2026-11-20T09:30:00.000Z");
  const newest = new Session({ id: OTHER_ID, cwd: shop.folder, at: later }).asks("Fix the colour");
  const other = await keepTranscript(shop, newest);
  // Both were written to last in one step of the clock of a file system.
  for (const written of [path, other]) {
    utimesSync(written, later / 1_000, later / 1_000);
  }
  await shop.run("sessions", "capture");
  return { shop, session, path, other };
}

/** The files of the lesson that hold a text. */
async function inRecord(shop: Project, text: string): Promise<string[]> {
  return filesWith(dirname(await manifestOf(shop)), text);
}

async function forget(shop: Project): Promise<void> {
  rmSync(join(dirname(await manifestOf(shop)), "state", "capture.json"));
}

describe("a purge from the session log", () => {
  it("of a text takes it out of every file, whole outputs included, and no capture brings it back", async () => {
    const { shop, session, path, other } = await recordedShop();
    // What was said and not read yet goes too.
    await keepTranscript(shop, session.asks(`The ${WORD} again`));
    const folders = (await inRecord(shop, WORD)).map((name) => name.split(/[/\\]/)[0]);
    expect([...new Set(folders)].sort()).toEqual(["artifacts", "events", "index"]);
    const { stdout, exit } = await shop.run("sessions", "purge", "--text", WORD, "--yes");
    expect(exit).toBe(0);
    const words = "4 events (task_update 1, tool_result 1, message 2), 1 artifact";
    expect(stdout).toContain(`This is deleted permanently: ${words}.`);
    expect(stdout).toContain(`Purged: ${words}.`);
    expect(stdout).toContain(`  ${path}\n`);
    expect(stdout).not.toContain(other);
    expect(await inRecord(shop, WORD)).toEqual([]);
    await shop.run("sessions", "capture");
    await forget(shop);
    await shop.run("sessions", "capture");
    expect(await inRecord(shop, WORD)).toEqual([]);
    expect((await messagesOf(shop)).sort()).toEqual(["Fix the colour", "Fix the rate"]);
    expect((await shop.run("sessions", "purge", "--text", WORD, "--yes")).stderr).toContain(
      "not_found",
    );
  });

  it("is not undone by a fork of a fork, whose copies have new ids", async () => {
    const { shop, session } = await recordedShop();
    await shop.run("sessions", "purge", "--text", WORD, "--yes");
    const between = "5e551022-0000-4000-8000-0000000000f1";
    const last = new Session({ id: "5e551022-0000-4000-8000-0000000000f2", cwd: shop.folder });
    for (const [at, line] of session.lines.entries()) {
      last.add({
        ...line,
        sessionId: last.id,
        forkedFrom: { sessionId: between, messageUuid: `${between}:${at}` },
      });
    }
    await keepTranscript(shop, last.asks("Its own request"));
    await shop.run("sessions", "capture");
    expect(await inRecord(shop, WORD)).toEqual([]);
    expect((await messagesOf(shop)).sort()).toEqual([
      "Fix the colour",
      "Fix the rate",
      "Its own request",
    ]);
  });

  it("of a text leaves other spellings and names them, also where no search finds them", async () => {
    const { shop, session } = await recordedShop();
    const edit = { file_path: "src/vat.ts", old_string: "xHELIOTROPEx", new_string: "" };
    const output = `${"ok\n".repeat(9_000)}HelioTrope\n${"ok\n".repeat(9_000)}`;
    await keepTranscript(
      shop,
      session.uses("Edit", edit, "Done").uses("Bash", { command: "npm test" }, output),
    );
    const first = await shop.run("sessions", "purge", "--text", WORD, "--yes");
    expect(first.stdout).toMatch(/contain 2 other spellings of it\. They stay\. .*"HELIOTROPE"/);
    const none = await shop.run("sessions", "purge", "--text", WORD, "--yes");
    expect(none.stderr).toMatch(/^error not_found: .* contain 2 other spellings/);
    expect(none.stderr).toContain('"HelioTrope"');
    await shop.run("sessions", "purge", "--text", "HELIOTROPE", "--yes");
    expect(await inRecord(shop, "HELIOTROPE")).toEqual([]);
    const last = await shop.run("sessions", "purge", "--text", "HelioTrope", "--yes");
    expect(last.stdout).not.toContain("other spelling");
  });

  it("of a text takes what is recorded where own words cannot be read, and says what was not read", async () => {
    const { shop, session } = await recordedShop();
    await keepTranscript(shop, session.asks(`The ${WORD} again`));
    await shop.write(".context/policies/privacy.yaml", "never_store: [");
    const { exit, stdout, stderr } = await shop.run("sessions", "purge", "--text", WORD, "--yes");
    expect([exit, stdout]).toEqual([0, expect.stringContaining("Purged: 3 events")]);
    expect(stderr).toMatch(
      /privacy\.yaml.*\nfix: .*\nMessages since the last capture weren't read/,
    );
    expect(await inRecord(shop, WORD)).toEqual([]);
  });

  it("refuses what is blank or names nothing; names ten of the transcripts that hold it, and counts the others", async () => {
    const { shop } = await recordedShop();
    const before = await eventsOf(shop);
    for (const [refused, code] of [
      [["--text", "  \t"], "bad_argument"],
      [[""], "error"],
      [["evt_"], "not_found"],
      [[OTHER_ID.slice(0, 4)], "ambiguous"],
      [["--text", "never said"], "not_found"],
      [["evt_x", "--text", WORD], "bad_argument"],
    ] as const) {
      expect((await shop.run("sessions", "purge", ...refused, "--yes")).stderr).toContain(code);
    }
    expect(await eventsOf(shop)).toEqual(before);
    // Ids that no other session here begins with: its lines would be the same lines.
    for (let at = 31; at <= 42; at += 1) {
      const id = `${OTHER_ID.slice(0, 6)}${String(at).padStart(2, "0")}${OTHER_ID.slice(8)}`;
      await keepTranscript(
        shop,
        new Session({ id, cwd: shop.folder }).asks(`A "magenta" door, ${at}`),
      );
    }
    const { stdout } = await shop.run("sessions", "purge", "--text", '"magenta"', "--yes");
    expect(stdout).toContain("Purged: 12 events (message 12).");
    expect(stdout.match(/^ {2}.*\.jsonl$/gm)).toHaveLength(10);
    expect(stdout).toMatch(/^ {2}and 2 more$/m);
  });

  it("names what rests on it, and readers say that something was removed", async () => {
    const { shop } = await recordedShop();
    const request =
      (await eventsOf(shop)).find(({ content }) => content.text === "Fix the rate")?.id ?? "";
    const start = shop.server("claude-code");
    const ids = await withServer(start, async (server) => {
      const record = async (kind: string, content: object, refs: string[]) =>
        /evt_\w{26}/.exec(await server.ask("record_event", { kind, content, refs }))?.[0] ?? "";
      const decided = await record("decision", { decision: "Rates are kept per country" }, [
        request,
      ]);
      return [
        decided,
        await record("summary", { text: "The rate is wrong", coverage: "one session" }, [request]),
        await record("pin", { ref: request, note: "Begin here" }, []),
        await record("handoff", { to_agent: "codex", task: "Fix it", decisions: [decided] }, [
          request,
        ]),
        await record("decision", { decision: "Unrelated" }, [decided]),
      ];
    });
    const names = ids.map((id) => `evt_${id.slice(-8)}`);
    const [decision, summary, handoff] = [names[0], names[1], names[3]];
    const named = `1 decision (${decision}), 1 summary (${summary}), 1 handoff (${handoff})`;
    const asked = await shop.run("sessions", "purge", request);
    expect(asked).toMatchObject({ exit: 1, stderr: expect.stringContaining("can't be undone") });
    expect(asked.stdout).toContain(`These events stay but cite purged ones: ${named}.`);
    expect((await shop.run("sessions", "show", request)).exit, "it is still there").toBe(0);
    const { stdout } = await shop.run("sessions", "purge", request, "--yes");
    expect(stdout).toContain(`These events stay but cite purged ones: ${named}.`);
    const [decided = ""] = ids;
    expect((await shop.run("sessions", "show", decided)).stdout).toContain(
      `${request} (removed, or not visible to you)`,
    );
    expect(await shop.json("sessions", "show", decided)).toMatchObject({ removed: [request] });
    expect((await shop.run("decisions")).stdout).toContain(
      "removed, or not visible to you: 1 thing it referred to",
    );
    expect(await shop.json("decisions", "country")).toMatchObject([
      { refs: [], removed: [request] },
    ]);
    await withServer(start, async (server) => {
      expect(await server.ask("get_artifact", { ref: decided })).toContain(
        `${request} (removed, or not visible to you)`,
      );
      expect(await server.ask("query_decisions", { query: "country" })).toContain(
        "removed, or not visible to you: 1 thing it referred to",
      );
    });
    expect((await shop.run("sessions", "purge", decided, "--yes")).stdout).toContain(
      `1 handoff (${names[3]}), 1 decision (${names[4]})`,
    );
  });

  it("takes the pins of it along, which hold its words, and no others; names its transcript", async () => {
    const { shop, path, other } = await recordedShop();
    const request =
      (await eventsOf(shop)).find(({ content }) => content.text === "Fix the rate")?.id ?? "";
    await shop.run("pin", request);
    await shop.run("pin", request, "--note", "Begin here");
    const [pin = ""] = ((await shop.json("pin")) as { id: string }[]).map(({ id }) => id);
    await shop.run("pin", pin);
    await shop.run("pin", "Never push on Fridays");
    expect(
      (await shop.run("sessions", "purge", `evt_${request.slice(-8, -1)}`, "--yes")).stderr,
    ).toContain("error not_found");
    const asked = await shop.run("sessions", "purge", `evt_${request.slice(-8)}`);
    expect(asked.stdout).toMatch(
      /^evt_\w{8} \(message, 2026-11-\S+\): "Fix the rate"\nThis is deleted permanently: 4 events \(pin 3, message 1\)\./,
    );
    expect((await shop.run("pin")).stdout).toContain("Begin here");
    const { stdout } = await shop.run("sessions", "purge", request, "--yes");
    expect(stdout).toContain("Purged: 4 events (pin 3, message 1).");
    expect(stdout).toContain(path);
    expect(stdout).not.toContain(other);
    expect(await shop.json("pin")).toMatchObject([{ text: "Never push on Fridays" }]);
    expect(await inRecord(shop, "Fix the rate")).toEqual([]);
  });

  it("of a session that is left out names what other sessions rest on it", async () => {
    const { shop } = await recordedShop();
    const newest = (await eventsOf(shop)).find(({ content }) => content.text === "Fix the colour");
    const { id: ref, session } = newest ?? expect.fail("it is not recorded");
    const start = shop.server("claude-code");
    const [pin = "", decided = "", own = ""] = await withServer(start, async (server) => {
      const statement = { kind: "pin", content: { ref, note: "Begin here" } };
      const decision = { kind: "decision", content: { decision: "Blue it is" }, refs: [ref] };
      return [
        await server.ask("record_event", { ...statement, session: "5e551099" }),
        await server.ask("record_event", { ...decision, session: "5e551099" }),
        await server.ask("record_event", { ...statement, session }),
      ].map((said) => /evt_\w{26}/.exec(said)?.[0] ?? "");
    });
    const named = `1 decision (evt_${decided.slice(-8)})`;
    const sessions = await shop.json("sessions", "list");
    await shop.run("pin", "Never push on Fridays");
    expect(
      await shop.json("sessions", "list"),
      "a pin of the command line is of no session",
    ).toEqual(sessions);
    const asked = await shop.run("sessions", "skip");
    expect(asked.stdout).toContain(`These events stay but cite purged ones: ${named}.`);
    const refused = await shop.run("sessions", "skip", session);
    expect(refused.stdout).toMatch(
      /^Session 5e551022-\S+, begun 2026-11-\S+: "Fix the colour"\nThis is deleted permanently: \d+ events \(.*\)\.\nThese events stay but cite purged ones/,
    );
    expect(refused.stderr).toMatch(/bad_argument: .*can't be brought back.*\nfix: Give --yes/);
    expect(await shop.json("sessions", "status")).toMatchObject({ skippedSessions: 0 });
    const { stdout } = await shop.run("sessions", "skip", session, "--yes");
    expect(stdout).toContain(`These events stay but cite purged ones: ${named}.`);
    for (const gone of [pin, own]) {
      expect(stdout).not.toContain(gone.slice(-8));
    }
    expect(await shop.json("pin"), "pins go with what is pinned").toMatchObject([
      { text: "Never push on Fridays" },
    ]);
    const again = await shop.run("sessions", "skip", "--yes");
    expect(again.stderr).toContain(
      `The session that was written to last, ${session}, is left out already`,
    );
  });

  it("of a session takes what an agent would record there later, and says so", async () => {
    const { shop } = await recordedShop();
    const start = shop.server("claude-code");
    const record = (text: string) =>
      withServer(start, (server) =>
        server.ask("record_event", { kind: "message", content: { text }, session: "5e551099" }),
      );
    expect(await record("The first marigold")).toMatch(/^Recorded/);
    const { stdout } = await shop.run("sessions", "purge", "5e551099", "--yes");
    expect(stdout, "it has no transcript").not.toContain("still contain");
    expect(await record("The second marigold")).toContain(
      "Not recorded: this event or its session was purged, and stays removed.",
    );
    expect(await inRecord(shop, "marigold")).toEqual([]);
  });

  it("that was killed before anything went is finished by the next capture", async () => {
    const { shop } = await recordedShop();
    const events = await eventsOf(shop);
    const state = join(dirname(await manifestOf(shop)), "state", "purged.jsonl");
    new PurgedList(state).begin(events, undefined, "2026-11-22T00:00:00.000Z");
    expect(await inRecord(shop, WORD)).not.toEqual([]);
    await shop.run("sessions", "capture");
    expect(await inRecord(shop, WORD)).toEqual([]);
  });
});

it("counts in status what it took, and brings no purged start of a session back", async () => {
  const shop = await recordedRepository();
  const sessions = ["1", "2"].map(
    (at) => new Session({ id: `5e55102${at}-0000-4000-8000-000000000001`, cwd: shop.folder }),
  );
  for (const session of sessions) {
    await keepTranscript(shop, session.asks("Go").says("Gone"));
  }
  await shop.run("sessions", "capture");
  const [start] = (await eventsOf(shop)).filter(({ kind }) => kind === "session");
  await shop.run("sessions", "purge", start?.id ?? "", "--yes");
  await shop.run("sessions", "capture", "--again");
  expect((await eventsOf(shop)).map(({ id }) => id)).not.toContain(start?.id);
  const other = sessions.find(({ id }) => id !== start?.session);
  expect((await shop.run("sessions", "purge", other?.id ?? "", "--yes")).stdout).toContain(
    "Purged: 3 events",
  );
  expect(await shop.json("sessions", "status")).toMatchObject({ events: 2, purged: 4 });
});

it("is what doctor names beside own words, which reach only what is recorded from then on", async () => {
  const shop = await testRepository();
  await shop.write(
    ".context/policies/privacy.yaml",
    `version: 1\nnever_store: {words: [${WORD}]}\n`,
  );
  expect((await shop.run("doctor")).stdout).not.toContain("sessions purge --text");
  await shop.run("sessions", "on");
  expect((await shop.run("doctor")).stdout).toContain(
    " sessions purge --text WORD removes earlier events",
  );
});
