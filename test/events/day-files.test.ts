/** What the files of a record look like, and what becomes of them when people and clocks change. */
import {
  appendFileSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { countingReads } from "../../src/ground/files/read-files.ts";
import { jsonlEventStore } from "../../src/sessions/files/store.ts";
import type { EventStore } from "../../src/sessions/store.ts";
import { all, message, NOON, texts } from "../contracts/event-store.ts";
import { testFolder } from "../support/in-test.ts";
import { UNREDACTED } from "../support/unredacted.ts";

const DAY = 24 * 60;

function openIn(folder: string, now = () => NOON): EventStore {
  return jsonlEventStore({ folder, redactor: UNREDACTED, now });
}

const EVENTS = "events/2026-11/2026-11-21.jsonl";

const linesIn = (folder: string): string[] =>
  readFileSync(join(folder, EVENTS), "utf8").trim().split("\n");

function filesIn(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).sort();
  return names.filter((name) => statSync(join(folder, name)).isFile());
}

describe("the files of a record", () => {
  it("are one for each day in UTC, and the person's own", async () => {
    const folder = join(testFolder(), "records", "one");
    const store = openIn(folder);
    await store.append([
      message("late", 12 * 60 - 1),
      message("next day", 12 * 60),
      message("next month", 10 * DAY),
    ]);
    expect(filesIn(folder)).toEqual([
      "events/2026-11/2026-11-21.jsonl",
      "events/2026-11/2026-11-22.jsonl",
      "events/2026-12/2026-12-01.jsonl",
    ]);
    await store.append([message("x\n".repeat(20_000))]);
    await store.purge({ text: "late" });
    for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
      const { mode } = statSync(join(folder, name));
      expect([name, mode & 0o077]).toEqual([name, 0]);
    }
    expect(filesIn(folder)).toEqual([
      expect.stringMatching(/^artifacts\/(\w\w)\/\1\w{62}\.gz$/),
      "events/2026-11/2026-11-21.1.jsonl",
      "events/2026-11/2026-11-22.jsonl",
      "events/2026-12/2026-12-01.jsonl",
      "state/purged.jsonl",
    ]);
  });

  it("hold one event a line, in which nothing can act on a terminal", async () => {
    const folder = testFolder();
    const hostile = "a\u0000b\u001b[2J\u007f\u009b31m\u2028\u202e\ud800\n";
    const alone = [...hostile];
    await openIn(folder).append([hostile, ...alone].map((text, at) => message(text, at)));
    const file = readFileSync(join(folder, "events/2026-11/2026-11-21.jsonl"), "utf8");
    expect(file).toMatch(/^(?:[\x20-\x7e]+\n)+$/);
    expect(await texts(openIn(folder))).toEqual([hostile, ...alone]);
  });

  it("are opened only by what needs them: opening a record touches nothing", async () => {
    const folder = join(testFolder(), "none");
    const store = openIn(folder);
    expect(await texts(store)).toEqual([]);
    expect((await store.statistics()).events).toBe(0);
    expect((await store.search({ text: "door" })).hits).toEqual([]);
    expect(filesIn(join(folder, ".."))).toEqual([]);
  });
});

describe("a file of a day", () => {
  async function threeIn(folder: string): Promise<EventStore> {
    const store = openIn(folder);
    await store.append([message("a", 0), message("b", 1), message("c", 2)]);
    return store;
  }

  it("with damaged lines costs these lines, which are counted and go with a purge", async () => {
    const folder = testFolder();
    const store = await threeIn(folder);
    const [a, b, c] = linesIn(folder) as [string, string, string];
    // Half a line, two joined lines, a note, and events without a kind, without an id, and with a time in another form.
    const others = [
      b.replace('"message"', "1"),
      b.replace(/\w{26}/, ""),
      b.replace(/"ts":"[^"]+"/, '"ts":"2026-11-21T12:01:00+00:00"'),
    ];
    const wrong = [b.slice(0, 60), `${b}${b}`, "note", ...others];
    writeFileSync(join(folder, EVENTS), [a, ...wrong, c].join("\n"));
    expect(await texts(store)).toEqual(["a", "c"]);
    expect(await store.statistics()).toMatchObject({ events: 2, damaged: 6 });
    await store.append([message("d", 3)]);
    expect(await texts(store)).toEqual(["a", "c", "d"]);
    const ids = [JSON.parse(c).id];
    expect(await store.toPurge({ ids })).toMatchObject({ events: 1 });
    expect(await store.purge({ ids })).toMatchObject({ events: 1 });
    expect(await texts(store)).toEqual(["a", "d"]);
    expect((await store.statistics()).damaged).toBe(0);
  });

  it("that is edited by hand is read as it is now, fields that this version does not know included", async () => {
    const folder = testFolder();
    const store = await threeIn(folder);
    const text = readFileSync(join(folder, EVENTS), "utf8");
    const edited = text
      .replace('"text":"b"', '"text":"edited"')
      .replace(/\n.*"text":"c".*\n/, "\n");
    writeFileSync(join(folder, EVENTS), edited.replace('"actor"', '"later":{"version":2},"actor"'));
    expect(await texts(store)).toEqual(["a", "edited"]);
    const [first] = await all(store);
    expect(first).toMatchObject({ later: { version: 2 } });
    expect(await store.find([first?.id ?? ""])).toEqual([first]);
  });

  it("are not all read for an id that leads nowhere any more, or whose event says nothing", async () => {
    const store = openIn(testFolder());
    const drafts = ["y".repeat(30_000), "a", "b"].map((text, at) => message(text, at * DAY));
    const [, gone, kept] = await store.append(drafts);
    const [silent] = await store.append([message("", DAY + 1)]);
    await store.purge({ ids: [gone?.id ?? ""] });
    while (await store.prepareSearch()) {}
    const ids = [gone, kept, silent].map((event) => event?.id ?? "");
    await store.find(ids);
    const { found, bytes } = await countingReads(async (soFar) => ({
      found: await store.find(ids),
      ...soFar(),
    }));
    expect(found).toEqual([silent, kept]);
    expect(bytes).toBeLessThan(10_000);
  });

  it("in the form of another program is read, found and purged", async () => {
    const folder = testFolder();
    const store = await threeIn(folder);
    const [, ...others] = linesIn(folder);
    const [{ id, ...rest } = { id: "" }] = await all(store);
    writeFileSync(join(folder, EVENTS), [JSON.stringify({ ...rest, id }), ...others].join("\n"));
    expect(await store.find([id])).toEqual([expect.objectContaining({ content: { text: "a" } })]);
    expect(await store.purge({ ids: [id] })).toMatchObject({ events: 1 });
    expect(await texts(store)).toEqual(["b", "c"]);
  });

  it("that is deleted by hand costs its events, and the next one begins it again", async () => {
    const folder = testFolder();
    const store = await threeIn(folder);
    await store.append([message("d", DAY)]);
    rmSync(join(folder, EVENTS));
    expect(await texts(store)).toEqual(["d"]);
    await store.append([message("e", 3)]);
    expect(await texts(store)).toEqual(["e", "d"]);
    rmSync(folder, { recursive: true });
    await store.append([message("f", 4)]);
    expect(await texts(store)).toEqual(["f"]);
  });

  it("that ends in half a line goes on with a line of its own", async () => {
    const folder = testFolder();
    const store = await threeIn(folder);
    appendFileSync(join(folder, EVENTS), '{"id":"evt_');
    await store.append([message("d", 3)]);
    expect(await texts(store)).toEqual(["a", "b", "c", "d"]);
    expect((await store.statistics()).damaged).toBe(1);
  });
});

describe("a lesson that is retained", () => {
  const sizeOf = (folder: string) =>
    filesIn(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);

  it("becomes smaller by what it says; a text of a megabyte that comes twice is there once", async () => {
    const folder = testFolder();
    const store = openIn(folder, () => NOON + 10 * DAY * 60_000);
    const prompt = Array.from({ length: 50_000 }, (_, at) => `${at} ${(at * 7_919) % 10_007}`).join(
      "\n",
    );
    await store.append([message(prompt, 0)]);
    const once = sizeOf(folder);
    await store.append([message(prompt, 1), message("stays", 3 * DAY)]);
    expect(sizeOf(folder) - once).toBeLessThan(20_000);
    const { bytes } = await store.retain({ eventsDays: 8, artifactsDays: 90, artifactsBytes: 1e9 });
    expect(sizeOf(folder)).toBeLessThan(1_000);
    await store.append([message(prompt, 3 * DAY)]);
    const before = sizeOf(folder);
    const again = await store.retain({ artifactsDays: 90, artifactsBytes: 0 });
    expect([before - sizeOf(folder), again.artifacts]).toEqual([again.bytes, 1]);
    expect(bytes).toBeGreaterThan(again.bytes);
  });
});

describe("a clock that is set back", () => {
  it("puts events where it says, and loses none", async () => {
    const folder = testFolder();
    let clock = NOON;
    const store = openIn(folder, () => clock);
    const now = async (text: string) => {
      const { ts: _ts, ...draft } = message(text);
      return store.append([draft]);
    };
    await now("first");
    clock -= 2 * 86_400_000;
    await now("second");
    clock = 0;
    await now("third");
    expect(await texts(store)).toEqual(["third", "second", "first"]);
    expect(
      await store.retain({ eventsDays: 1, artifactsDays: 90, artifactsBytes: 1e9 }),
    ).toMatchObject({ events: 0 });
  });
});
