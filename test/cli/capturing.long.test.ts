/** What agents wrote becomes the session log: the command line on real transcripts' form, real folders and real git. */
import { existsSync, readdirSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { testProject, testRepository } from "../support/in-test.ts";
import { Project } from "../support/project.ts";
import {
  eventsOf,
  keepTranscript,
  manifestOf,
  messagesOf,
  recordFromTheStart,
} from "../support/recorded.ts";
import { recordedRepository } from "../support/recorded-repository.ts";
import { Session } from "../support/transcript.ts";

const OTHER_ID = "5e551022-0000-4000-8000-000000000002";

const DAY_MS = 24 * 60 * 60 * 1_000;

/** The only file of events that a session log has. */
async function dayFileOf(project: Project): Promise<string> {
  const events = join(dirname(await manifestOf(project)), "events");
  const names = readdirSync(events, { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".jsonl"),
  );
  expect(names).toHaveLength(1);
  return join(events, names[0] ?? "");
}

async function capture(project: Project, ...options: string[]): Promise<Record<string, never>> {
  const { stdout, stderr, exit } = await project.run("sessions", "capture", "--json", ...options);
  if (exit !== 0) {
    throw new Error(stderr);
  }
  return JSON.parse(stdout);
}

describe("a capture", () => {
  it("does no harm while another one runs", async () => {
    const shop = await recordedRepository();
    for (let at = 1; at <= 5; at++) {
      const session = new Session({
        id: `5e5510${at}0-0000-4000-8000-000000000000`,
        cwd: shop.folder,
      });
      for (let line = 0; line < 100; line++) {
        session.asks(`${at} ${line}`);
      }
      await keepTranscript(shop, session);
    }
    const ended = await Promise.all([1, 2, 3].map(() => shop.run("sessions", "capture")));
    expect(ended.map(({ exit }) => exit)).toEqual([0, 0, 0]);
    expect(new Set(await messagesOf(shop)).size).toBe(500);
    expect((await messagesOf(shop)).length).toBe(500);
  });

  it("names what is wrong where the session log cannot be written", async () => {
    const shop = await recordedRepository();
    const state = join(dirname(await manifestOf(shop)), "state");
    rmSync(state, { recursive: true, force: true });
    await shop.write(state, "A file in the way");
    const { exit, stderr } = await shop.run("sessions", "capture");
    expect([exit, stderr]).toEqual([1, expect.stringContaining("not_a_file")]);
    expect(stderr).not.toContain(" at ");
  });
});

describe("a hook's capture", () => {
  it("says that a session ended, once for all that tell it, and again when it goes on and ends", async () => {
    const shop = await recordedRepository();
    const session = new Session({ cwd: shop.folder }).asks("One");
    const path = await keepTranscript(shop, session);
    const payload = {
      hook_event_name: "SessionEnd",
      session_id: session.id,
      transcript_path: path,
      reason: "logout",
    };
    const end = () => shop.runWith(JSON.stringify(payload), "sessions", "capture", "--hook");
    const told = await Promise.all([end(), end(), end()]);
    expect(told.map(({ exit, stdout }) => [exit, stdout])).toEqual(Array(3).fill([0, ""]));
    const ends = async () =>
      (await eventsOf(shop)).filter(({ content }) => content.event === "end");
    expect(await ends()).toMatchObject([{ session: session.id, content: { reason: "logout" } }]);
    await keepTranscript(shop, session.asks("Two"));
    await end();
    expect((await ends()).length).toBe(2);
  });

  it("says nothing of a session of which nothing is recorded, and nothing at all where recording is off", async () => {
    const shop = await recordedRepository();
    const session = new Session({ cwd: shop.folder }).asks("<private-session>");
    const transcript_path = await keepTranscript(shop, session);
    const payload = JSON.stringify({
      hook_event_name: "SessionEnd",
      session_id: session.id,
      transcript_path,
    });
    await shop.runWith(payload, "sessions", "capture", "--hook");
    expect(await eventsOf(shop)).toEqual([]);
    await shop.run("sessions", "off");
    for (const stdin of [payload, "not JSON", ""]) {
      expect(await shop.runWith(stdin, "sessions", "capture", "--hook")).toEqual({
        exit: 0,
        stdout: "",
        stderr: "",
      });
    }
  });
});

it("a capture that a hook started, and that failed, is seen by status and doctor until one succeeds", async () => {
  const shop = await recordedRepository();
  const transcript_path = await keepTranscript(
    shop,
    new Session({ cwd: shop.folder }).asks("Go on"),
  );
  const payload = JSON.stringify({ hook_event_name: "Stop", session_id: "x", transcript_path });
  const PRIVACY = ".context/policies/privacy.yaml";
  await shop.write(PRIVACY, "version: 99\n");
  await shop.runWith(payload, "sessions", "capture", "--hook");
  expect(await eventsOf(shop)).toEqual([]);
  expect((await shop.run("sessions", "status")).stdout).toMatch(
    /^BROKEN .*privacy\.yaml.*\n +fix: [\s\S]*^warning The last capture failed[\s\S]*^last read +never$/m,
  );
  expect((await shop.run("doctor")).stdout).toMatch(
    /The last capture failed .*own words cannot be read, see above/,
  );
  rmSync(shop.path(PRIVACY));
  await shop.runWith(payload, "sessions", "capture", "--hook");
  expect((await shop.run("sessions", "status")).stdout).toMatch(/^last read +\d{4}-/m);
  expect((await shop.run("sessions", "status")).stdout).not.toContain("capture failed");
  expect((await shop.run("doctor")).stdout).not.toContain("The last capture failed");
});

describe("what belongs to the project", () => {
  it("is what was said in its worktrees and subfolders, also in those that are gone", async () => {
    const shop = await recordedRepository({ "sub/x.txt": "x\n" });
    const worktree = await shop.worktree("fix");
    const from = (at: number, cwd: string) =>
      new Session({ id: `5e5510${at}0-0000-4000-8000-000000000000`, cwd });
    await keepTranscript(shop, from(1, shop.path("sub")).asks("In a subfolder"));
    await keepTranscript(shop, from(2, worktree.folder).asks("In a worktree"));
    await capture(shop);
    await keepTranscript(shop, from(3, worktree.folder).asks("In a worktree that is gone"));
    await shop.git("worktree", "remove", "--force", worktree.folder);
    await keepTranscript(shop, from(4, shop.path("sub")).asks("In a subfolder that is gone"));
    await shop.git("rm", "-rq", "sub");
    expect(existsSync(shop.path("sub"))).toBe(false);
    await capture(shop);
    const places = (await eventsOf(shop))
      .filter(({ kind }) => kind === "message")
      .map(({ place }) => place?.worktree);
    expect(places.sort()).toEqual([shop.folder, shop.folder, worktree.folder, worktree.folder]);
  });

  it("is not a repository below it, nor one that was there once", async () => {
    const shop = await recordedRepository();
    const inner = new Project(shop.folder, "inner");
    await inner.furnishRepository();
    await keepTranscript(shop, new Session({ cwd: inner.folder }).asks("Inside"));
    expect((await capture(shop)).events).toEqual({});
    renameSync(inner.folder, join(shop.home, "moved"));
    await keepTranscript(shop, new Session({ cwd: inner.folder }).asks("Inside").asks("And later"));
    expect((await capture(shop)).events).toEqual({});
  });

  it("is the folder where there is no git", async () => {
    const notes = await testProject();
    await recordFromTheStart(notes);
    await notes.write("deep/x", "");
    await keepTranscript(notes, new Session({ cwd: notes.path("deep") }).asks("Below"));
    await keepTranscript(notes, new Session({ id: OTHER_ID, cwd: notes.home }).asks("Above"));
    expect((await capture(notes)).elsewhere).toEqual({ [notes.home]: 1 });
    expect(await messagesOf(notes)).toEqual(["Below"]);
  });
});

describe("what the person agreed to", () => {
  const at = (day: string) => ({ timestamp: `2026-${day}T09:00:00.000Z` });

  it("is what was said while recording was on; the past comes only when it is agreed to, by the command that each capture names", async () => {
    const shop = await recordedRepository();
    const path = await manifestOf(shop);
    const intervals = [
      { on: "2026-11-10T00:00:00Z", off: "2026-11-12T00:00:00Z" },
      { on: "2026-11-14T00:00:00Z" },
    ];
    await shop.write(path, JSON.stringify({ ...JSON.parse(await shop.read(path)), intervals }));
    const skipped = new Session({ id: OTHER_ID, cwd: shop.folder });
    for (const day of ["11-08", "11-13", "11-15"]) {
      skipped.asks("Left out", at(day));
    }
    await keepTranscript(shop, skipped);
    await shop.run("sessions", "skip", OTHER_ID, "--yes");
    const session = new Session({ cwd: shop.folder });
    for (const [day, text] of Object.entries({
      "11-05": "Long before",
      "11-08": "Before",
      "11-11": "On",
      "11-13": "Off",
      "11-15": "On again",
    })) {
      session.asks(text, at(day));
    }
    await keepTranscript(shop, session);
    const leftOut = "3 lines left out: of sessions that you left out.";
    const first = await shop.run("sessions", "capture");
    expect(await messagesOf(shop)).toEqual(["On", "On again"]);
    expect(first.stdout.split("\n").slice(1, -1)).toEqual([
      expect.stringMatching(/^2 lines left out: .* capture --all records that\.$/),
      expect.stringMatching(/^1 line left out: .* capture --all --also-while-off records that\.$/),
      leftOut,
    ]);

    expect((await shop.run("sessions", "capture", "--all")).stderr).toContain("--yes");
    await capture(shop, "--since", "2026-11-07", "--yes");
    expect(await messagesOf(shop)).toEqual(["Before", "On", "On again"]);
    await capture(shop, "--all", "--yes");
    expect(await messagesOf(shop)).toEqual(["Long before", "Before", "On", "On again"]);
    const all = await shop.run("sessions", "capture", "--all", "--also-while-off", "--yes");
    expect(await messagesOf(shop)).toEqual(["Long before", "Before", "On", "Off", "On again"]);
    expect(all.stdout.split("\n").slice(1, -1)).toEqual([leftOut]);
  });

  it("reads one past several times and stores it once, as one time in the manifest", async () => {
    const shop = await testRepository();
    await shop.run("sessions", "on");
    await keepTranscript(
      shop,
      new Session({ cwd: shop.folder, at: Date.now() - 5 * DAY_MS }).asks("Five days ago"),
    );
    const lines = async () =>
      (await shop.read(await dayFileOf(shop))).split("\n").filter(Boolean).length;
    expect((await capture(shop, "--since", "10d", "--yes")).events).toEqual({
      session: 1,
      message: 1,
    });
    const once = await lines();
    expect((await capture(shop, "--since", "20d", "--yes")).events).toEqual({});
    expect((await capture(shop, "--since", "30d", "--yes")).events).toEqual({});
    expect((await capture(shop, "--all", "--yes")).events).toEqual({});
    expect(await lines()).toBe(once);
    const { intervals } = JSON.parse(await shop.read(await manifestOf(shop)));
    expect(intervals.filter(({ past }: { past?: true }) => past)).toHaveLength(1);
    const { stdout } = await shop.run("sessions", "status");
    expect(stdout).toContain("everything before 20");
    expect(stdout).not.toContain("1970");
  });
});

it("all lines that are not understood are counted, also of a client's version of long ago", async () => {
  const shop = await recordedRepository();
  for (let at = 0; at < 7; at++) {
    const session = new Session({
      id: `5e5510${at}0-0000-4000-8000-000000000000`,
      cwd: shop.folder,
      version: `2.1.${at}`,
    });
    await keepTranscript(shop, session.asks("Go").add({ type: "user", message: { parts: [] } }));
    expect((await shop.run("sessions", "capture")).stdout).toContain(`Claude Code 2.1.${at}`);
  }
  const missed = Object.fromEntries(
    [0, 1, 2, 3, 4, 5, 6].map((at) => [`Claude Code 2.1.${at}`, 1]),
  );
  const { linesNotUnderstood } = (await shop.json("sessions", "status")) as Record<string, unknown>;
  expect(linesNotUnderstood).toEqual({ lines: 7, of: 14, byVersion: missed });
  expect((await shop.run("sessions", "status")).stdout).toContain(
    "7 of 14 lines of conversation not understood",
  );
  expect((await shop.run("doctor")).stdout).toContain(
    "Claude Code 2.1.0, Claude Code 2.1.1, Claude Code 2.1.2",
  );
});
