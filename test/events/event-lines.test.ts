/** Lines of events in two forms: whole, as earlier versions wrote them, and with what they share in a line before them. */
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { changesSince } from "../../src/sessions/files/changes.ts";
import { logFiles } from "../../src/sessions/files/log-files.ts";
import { JsonlEventStore } from "../../src/sessions/files/store.ts";
import type { Event, EventDraft } from "../../src/sessions/kinds/event.ts";
import { prepare } from "../../src/sessions/storing/prepare.ts";
import { all, message, NOON, texts } from "../contracts/event-store.ts";
import { testFolder } from "../support/in-test.ts";
import { seeded } from "../support/random.ts";
import { runProcess } from "../support/run-process.ts";
import { randomEvent } from "../support/talk.ts";
import { UNREDACTED } from "../support/unredacted.ts";
import { wholeLine } from "../support/whole-line.ts";

const FILE = "events/2026-11/2026-11-21.jsonl";
const PLACE = { branch: "feat/doors", worktree: "/home/kim/app", cwd: "/home/kim/app/web" };

/** Another process, which knows nothing of what this one wrote. @returns what it printed. */
async function printedElsewhere(script: string, ...args: string[]): Promise<unknown> {
  const how = { cwd: resolve("."), env: { PATH: process.env.PATH ?? "" } };
  const node = ["--import", "tsx", "--input-type=module", "-e", script, ...args];
  const { stdout, stderr } = await runProcess(process.execPath, node, how);
  expect(stderr).toBe("");
  return JSON.parse(stdout);
}

const openIn = (folder: string) =>
  new JsonlEventStore({ folder, redactor: UNREDACTED, now: () => NOON });
const linesIn = (folder: string) => readFileSync(join(folder, FILE), "utf8").trimEnd().split("\n");
const prepared = (draft: EventDraft) =>
  prepare(draft, { redactor: UNREDACTED, now: NOON, random: new Uint8Array(10) });

/** As an earlier version appends. */
function appendWhole(folder: string, drafts: readonly EventDraft[]): void {
  mkdirSync(join(folder, "events/2026-11"), { recursive: true });
  appendFileSync(
    join(folder, FILE),
    drafts.map((draft) => `${wholeLine(prepared(draft))}\n`).join(""),
  );
}

/** Events with everything that an event can have, and with what is unusual in it. */
function drafts(): EventDraft[] {
  const random = seeded("event lines");
  const some = Array.from({ length: 60 }, (_, at) =>
    randomEvent(random, at, { from: NOON, days: 0.4 }),
  );
  const ref = prepared(message("a")).event.id;
  const tool = { session: "s2", agent: "codex/child", kind: "tool_result", place: PLACE } as const;
  const made: EventDraft[] = [
    ...some,
    message("usual", 1, {
      origin: "claude-code:0b54c3d2:0",
      place: PLACE,
      actor: { type: "agent", id: "claude-code" },
    }),
    message("of another client", 2, {
      origin: "elsewhere:1",
      refs: [ref],
      tags: ["pinned"],
      channel: "team",
    }),
    message("its origin is its client", 3, { origin: "claude-code:", sensitivity: "low" }),
    message("\u2028 \u007f \ud800 \u{1f600}", 4, { key: "k", place: { branch: "\u202ebranch" } }),
    {
      ...tool,
      actor: { type: "tool", id: "tool.Bash" },
      content: { tool: "Bash", text: "ok", "10": 1, "9": [] },
    },
    {
      ...tool,
      actor: { type: "tool", id: "tool.Other" },
      content: { tool: "Bash", text: "x\n".repeat(20_000) },
    },
    { ...tool, actor: { type: "tool", id: "tool.7" }, content: { tool: 7, text: "a misfit" } },
    {
      ...tool,
      actor: { type: "human", id: "user" },
      content: JSON.parse('{"tool":"Bash","__proto__":{"a":1}}'),
    },
  ];
  return made.map((draft, at) => ({ ...draft, origin: draft.origin ?? `claude-code:${at}` }));
}

describe("an event", () => {
  it("is read as it was stored, and as an earlier version's whole line of it", async () => {
    const [folder, whole] = [testFolder(), testFolder()];
    const stored = await openIn(folder).append(drafts());
    appendWhole(whole, drafts());
    const byTime = (events: readonly (Event | undefined)[]) =>
      events.toSorted((a, b) => (a && b && a.id < b.id ? -1 : 1));
    expect(byTime(await all(openIn(folder)))).toEqual(byTime(stored));
    expect(await all(openIn(folder))).toEqual(await all(openIn(whole)));
  });

  it("takes 170 bytes beside what it says, where its session says much", async () => {
    const folder = testFolder();
    const session = "66a75a73-185d-421f-a3ab-9f1430f4367d";
    const events = Array.from({ length: 200 }, (_, at) =>
      message("", at / 10, {
        ...{ session, place: PLACE, actor: { type: "agent", id: "claude-code" } },
        origin: `claude-code:27609f9d-33f3-4f3a-8b0e-0c0d80195${at + 100}:toolu_01Ev4mUVCHC4ujMa1RxczW1x:result`,
      }),
    );
    await openIn(folder).append(events);
    appendWhole(join(folder, "whole"), events);
    const [now, before] = [folder, join(folder, "whole")].map(
      (one) => linesIn(one).join("\n").length / events.length,
    );
    expect(now).toBeLessThan(170);
    expect(before).toBeGreaterThan(550);
  });
});

describe("lines of both forms in one file", () => {
  async function mixed(): Promise<string> {
    const folder = testFolder();
    const said = (text: string, at: number, session: string) =>
      message(text, at, { session, place: PLACE, origin: text });
    appendWhole(folder, [said("old door", 0, "s1"), said("old key", 1, "s2")]);
    await openIn(folder).append([said("new door", 2, "s1"), said("new key", 3, "s2")]);
    appendWhole(folder, [said("older door", 4, "s1")]);
    await openIn(folder).append([said("newer door", 5, "s1")]);
    return folder;
  }

  it("are read, found and followed alike", async () => {
    const folder = await mixed();
    const store = openIn(folder);
    expect(await texts(store)).toEqual([
      "old door",
      "old key",
      "new door",
      "new key",
      "older door",
      "newer door",
    ]);
    expect(await texts(store, { session: "s1" })).toEqual([
      "old door",
      "new door",
      "older door",
      "newer door",
    ]);
    const events = await all(store);
    expect(
      new Set(events.map(({ session, place }) => JSON.stringify([session, place]))),
    ).toHaveLength(2);
    while (await store.prepareSearch());
    const { hits } = await store.search({ text: "door" });
    expect(hits.map(({ event }) => event.session)).toEqual(["s1", "s1", "s1", "s1"]);
    expect(await store.find(events.map(({ id }) => id))).toEqual(events);
    const { added } = await changesSince(logFiles(folder));
    expect(added.flatMap(({ events: some }) => some)).toEqual(events);
    expect(await store.statistics()).toMatchObject({ events: 6, damaged: 0 });
  });

  it("stay with what they share when others are purged, and nothing is left of a session that went", async () => {
    const folder = await mixed();
    const store = openIn(folder);
    const gone = { session: "of a customer", place: { ...PLACE, branch: "feat/customer" } };
    await store.append([message("gone", 6, gone)]);
    expect(await store.purge({ session: gone.session })).toMatchObject({ events: 1, damaged: 0 });
    expect(await store.purge({ text: "old key" })).toMatchObject({ events: 1, damaged: 0 });
    const text = readFileSync(join(folder, FILE.replace(".jsonl", ".2.jsonl")), "utf8");
    expect(text).not.toContain("customer");
    expect(await texts(store, { session: "s1" })).toEqual([
      "old door",
      "new door",
      "older door",
      "newer door",
    ]);
    expect(await texts(store, { session: "s2" })).toEqual(["new key"]);
    expect((await all(store)).map(({ place }) => place)).toEqual([
      PLACE,
      PLACE,
      PLACE,
      PLACE,
      PLACE,
    ]);
    await store.purge({ text: "feat/doors" });
    expect(await texts(store)).toEqual([]);
  });

  it("are read from the middle of a file by a process that did not read its beginning", async () => {
    const folder = testFolder();
    const store = openIn(folder);
    await store.append(
      Array.from({ length: 20 }, (_, at) => message(`door ${at}`, at, { place: PLACE })),
    );
    while (await store.prepareSearch());
    const { cursor } = await changesSince(logFiles(folder));
    const last = linesIn(folder).at(-1) ?? "";
    appendFileSync(
      join(folder, FILE),
      `${last.replace(/^\["\w{26}/, `["01KAJXY2R0${"A".repeat(16)}`)}\n`,
    );
    const script = `
      import { changesSince } from "./src/sessions/files/changes.ts";
      import { logFiles } from "./src/sessions/files/log-files.ts";
      import { JsonlEventStore } from "./src/sessions/files/store.ts";
      const [folder, cursor] = process.argv.slice(1);
      const store = new JsonlEventStore({ folder, redactor: undefined, now: Date.now });
      const said = ({ session, place, content }) => [session, place.branch, content.text];
      const { hits } = await store.search({ text: "door 7", limit: 1 });
      const { added } = await changesSince(logFiles(folder), cursor);
      const events = [];
      for await (const event of store.read({ session: "s1", newestFirst: true, mostBytes: 400 })) events.push(event);
      console.log(JSON.stringify([hits[0].event, added[0].events[0], events[0]].map(said)));`;
    expect(await printedElsewhere(script, folder, cursor)).toEqual([
      ["s1", "feat/doors", "door 7"],
      ["s1", "feat/doors", "door 19"],
      ["s1", "feat/doors", "door 19"],
    ]);
  });

  it("are found without all before them, where the index took their batch in steps", async () => {
    const folder = testFolder();
    const pad = "x".repeat(15_000);
    const batch = Array.from({ length: 600 }, (_, at) =>
      message("", at / 10, { place: PLACE, content: { text: `door ${at}`, pad } }),
    );
    await openIn(folder).append(batch);
    expect(await openIn(folder).prepareSearch(), "there is a second step").toBe(true);
    while (await openIn(folder).prepareSearch());
    const script = `
      import { countingReads } from "./src/ground/files/read-count.ts";
      import { JsonlEventStore } from "./src/sessions/files/store.ts";
      const store = new JsonlEventStore({ folder: process.argv[1], redactor: undefined, now: Date.now });
      const found = await countingReads(async (soFar) => {
        const { hits } = await store.search({ text: "door 599", limit: 1 });
        return { text: hits[0].text, branch: hits[0].event.place.branch, ...soFar() };
      });
      console.log(JSON.stringify(found));`;
    const found = await printedElsewhere(script, folder);
    expect(found).toMatchObject({ text: "door 599", branch: PLACE.branch });
    expect((found as { bytes: number }).bytes).toBeLessThan(1_000_000);
  });

  it("are still there, and found by their words, where somebody destroyed what they share", async () => {
    const folder = testFolder();
    await openIn(folder).append([message("door", 0, { session: "whose line is destroyed" })]);
    const [shared = "", event] = linesIn(folder);
    writeFileSync(
      join(folder, FILE),
      `${shared.replace('"in"', '"at"')}\n${event?.replace(/","[^"]+/, '","1234567')}\n`,
    );
    const store = openIn(folder);
    expect(await all(store)).toMatchObject([
      { session: "unknown", agent: "unknown", content: { text: "door" } },
    ]);
    expect((await store.search({ text: "door" })).hits).toHaveLength(1);
    expect(await store.statistics()).toMatchObject({ events: 1, damaged: 1 });
  });
});
