/**
 * What every store of events has to do, as tests over a factory: the file store passes them, and so has any other.
 */
import { describe, expect, it } from "vitest";
import { beside, wholeOf } from "../../src/sessions/answers/page-answer.ts";
import {
  type Event,
  type EventDraft,
  identityFrom,
  readEventId,
  shortEventId,
} from "../../src/sessions/kinds/event.ts";
import type { EventQuery, EventStore, SearchHit } from "../../src/sessions/store.ts";
import { artifactsOf } from "../../src/sessions/storing/event-texts.ts";
import type { Redactor } from "../../src/sessions/storing/redactor.ts";
import { type Random, seeded, word } from "../support/random.ts";
import { rankedBy, referenceSearch } from "../support/reference-search.ts";
import { randomEvent, randomQuery } from "../support/talk.ts";
import { UNREDACTED } from "../support/unredacted.ts";

export interface StoreOfTest {
  readonly store: EventStore;
  /** Another opening of the same lesson, as another process has one. */
  again(): EventStore;
  /** What the store's clock shows next. */
  setClock(now: number): void;
}

export const NOON = Date.parse("2026-11-21T12:00:00.000Z");
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** A message of a session, so many minutes after noon. */
export function message(text: string, minutes = 0, more: Partial<EventDraft> = {}): EventDraft {
  const ts = new Date(NOON + minutes * MINUTE).toISOString();
  const said = {
    session: "s1",
    agent: "claude-code",
    actor: { type: "human", id: "user" },
    kind: "message",
  } as const;
  return { ts, ...said, content: { text }, ...more };
}

function artifactIn(event: Event | undefined): string {
  return (event && artifactsOf(event)[0]) ?? "none";
}

export async function all(store: EventStore, query?: EventQuery): Promise<Event[]> {
  const events: Event[] = [];
  for await (const event of store.read(query)) {
    events.push(event);
  }
  return events;
}

export async function texts(store: EventStore, query?: EventQuery): Promise<unknown[]> {
  return (await all(store, query)).map(({ content }) => content.text ?? content.excerpt_text);
}

export function describeEventStore(
  name: string,
  open: (redactor?: Redactor) => Promise<StoreOfTest>,
): void {
  describe(`${name}, what is appended`, () => {
    it("stands around an event in the order in which it was stored, also of one millisecond", async () => {
      const { store } = await open();
      const names = Array.from({ length: 12 }, (_, at) => `step ${at}`);
      const events = await store.append(
        names.map((name) => message(name, 0, { origin: `claude-code:${name}` })),
      );
      for (const [at, event] of events.entries()) {
        const { before, after } = await beside(event as Event, 12, store);
        const around = [...before, event as Event, ...after].map(({ content }) => content.text);
        expect([around, before.length]).toEqual([names, at]);
      }
    });

    it("comes back as it was accepted, from every opening", async () => {
      const { store, again } = await open();
      const draft = message("the door \u0000 \u001b[2J \u2028 끝 \ud83d\ude00", 0, {
        channel: "team",
        refs: ["evt_01ARYZ6S410123456789ABCDEF"],
        tags: ["topic:doors"],
        sensitivity: "high",
        place: { branch: "main", cwd: "/home/jo/app" },
        origin: "claude-code/line-1",
      });
      const [event] = await store.append([draft]);
      const { ts: _ts, ...given } = draft;
      expect(event).toMatchObject(given);
      expect(event).toMatchObject({
        ts: "2026-11-21T12:00:00.000Z",
        hash: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
      });
      expect(readEventId(event?.id ?? "")).toEqual({
        time: NOON,
        identity: identityFrom("claude-code/line-1"),
      });
      expect(await all(store)).toEqual([event]);
      expect(await all(again())).toEqual([event]);
    });

    it("without a time has the store's, and what it does not say is private and harmless", async () => {
      const { store, setClock } = await open();
      setClock(NOON + DAY);
      const { ts: _ts, ...draft } = message("hello");
      const [event] = await store.append([draft]);
      expect(event).toMatchObject({
        ts: "2026-11-22T12:00:00.000Z",
        channel: "private",
        sensitivity: "none",
        refs: [],
        tags: [],
      });
    });

    it("of no draft is nothing", async () => {
      const { store } = await open();
      expect(await store.append([])).toEqual([]);
      expect(await all(store)).toEqual([]);
    });

    it("is refused with the name of the field, and nothing of its batch is stored", async () => {
      const { store } = await open();
      const wrong: Record<string, unknown>[] = [
        { kind: "banana" },
        { channel: "secret" },
        { sensitivity: "very" },
        { actor: { type: "robot", id: "r" } },
        { session: "" },
        { agent: 7 },
        { ts: "yesterday" },
        { ts: "1969-12-31T23:59:59Z" },
        { ts: "21 November 2026" },
        { ts: "2015-02-30T12:00:00Z" },
        { content: ["a"] },
        { refs: "evt_1" },
        { tags: [7] },
        { place: null },
        { origin: "x".repeat(5_000) },
      ];
      for (const more of wrong) {
        const field = Object.keys(more)[0] as string;
        const batch = [message("good"), message("bad", 0, more)];
        await expect(store.append(batch)).rejects.toMatchObject({
          code: "bad_argument",
          message: expect.stringContaining(field),
        });
      }
      expect(await all(store)).toEqual([]);
    });

    it("is stored in the order of its batch, however large that is, or not at all where one of it is not an event", async () => {
      const { store } = await open();
      const drafts = Array.from({ length: 250 }, (_, at) => message(`draft ${at}`));
      await expect(
        store.append([...drafts, message("", 0, { session: "" })]),
      ).rejects.toMatchObject({
        code: "bad_argument",
      });
      expect(await all(store)).toEqual([]);
      const events = await store.append(drafts);
      expect(events.map((event) => event?.content.text)).toEqual(
        drafts.map(({ content }) => content.text),
      );
      expect(await all(store)).toEqual(events);
    });
  });

  describe(`${name}, one origin or key`, () => {
    it("is one event, however often and from wherever it is appended; the earliest counts, and either id finds it", async () => {
      const { store, again } = await open();
      const [first] = await store.append([message("once", 5, { key: "retry-1" })]);
      const [second] = await again().append([message("once", 6, { key: "retry-1" })]);
      await store.append([
        message("read", 1, { origin: "line" }),
        message("read", 1, { origin: "line" }),
      ]);
      expect(await texts(store)).toEqual(["read", "once"]);
      expect(await store.find([second?.id ?? ""])).toEqual([first]);
      expect(await store.find([first?.id ?? ""])).toEqual([first]);
    });

    it("with another time or none are two events", async () => {
      const { store } = await open();
      await store.append([message("same"), message("same")]);
      expect(await texts(store)).toEqual(["same", "same"]);
      const [one, two] = await all(store);
      expect(one?.hash).toBe(two?.hash);
    });
  });

  describe(`${name}, reading`, () => {
    it("goes in order of time, by range, session, kind and reference", async () => {
      const { store, setClock } = await open();
      setClock(NOON + 4 * DAY);
      const [root] = await store.append([message("b", 2)]);
      await store.append([
        message("d", 3 * 24 * 60, { session: "s2" }),
        message("a", 1, { kind: "decision" }),
        message("c", 13 * 60, { refs: [root?.id ?? ""] }),
        message("e", 3 * 24 * 60 + 1, { session: "s1", refs: ["chk_x"] }),
      ]);
      const at = (minutes: number) => new Date(NOON + minutes * MINUTE).toISOString();
      expect(await texts(store)).toEqual(["a", "b", "c", "d", "e"]);
      expect(await texts(store, { newestFirst: true })).toEqual(["e", "d", "c", "b", "a"]);
      expect(await texts(store, { from: at(2), to: at(3 * 24 * 60) })).toEqual(["b", "c"]);
      expect(
        await texts(store, { from: "2026-11-22T10:00:00+09:00", to: "2026-11-22T03:00:00+01:00" }),
      ).toEqual(["c"]);
      expect(await texts(store, { session: "s2" })).toEqual(["d"]);
      expect(await texts(store, { kinds: ["decision", "pin"] })).toEqual(["a"]);
      expect(await texts(store, { refs: [root?.id ?? "", "chk_x"] })).toEqual(["c", "e"]);
      expect(
        await texts(store, { session: "s1", kinds: ["message"], to: at(60), newestFirst: true }),
      ).toEqual(["b"]);
      expect(await texts(store, { session: "s" })).toEqual([]);
    });

    it("gives each of many events once and in order, both ways, also where many are of one moment", async () => {
      const { store } = await open();
      const words = Array.from({ length: 2_400 }, (_, at) => `${at}`);
      await store.append(words.map((word, at) => message(word, Math.floor(at / 170))));
      expect(await texts(store)).toEqual(words);
      expect(await texts(store, { newestFirst: true })).toEqual(words.toReversed());
    });

    it("refuses a range that is none", async () => {
      const { store } = await open();
      for (const query of [{ from: "last week" }, { to: "9" }]) {
        await expect(all(store, query)).rejects.toMatchObject({ code: "bad_argument" });
      }
    });

    it("finds events by their ids, and nothing by what is not one", async () => {
      const { store } = await open();
      const events = await store.append([message("a"), message("b", 1), message("c", 24 * 60)]);
      const ids = events.map((event) => event?.id ?? "");
      expect(await store.find([ids[2] ?? "", ids[0] ?? "", "evt_", "", "nonsense"])).toEqual([
        events[0],
        events[2],
      ]);
      expect(await store.find([])).toEqual([]);
      expect(await store.find([shortEventId(ids[1] ?? "")]), "a short id").toEqual([events[1]]);
      expect(await store.find([shortEventId(ids[1] ?? "").slice(0, -1)])).toEqual([]);
      const again = [ids[1] ?? "", ids[1] ?? "", shortEventId(ids[1] ?? "")];
      expect(await store.find(again), "each once").toEqual([events[1]]);
    });
  });

  describe(`${name}, long texts`, () => {
    const lines = (count: number) =>
      Array.from({ length: count }, (_, at) => `line ${at} of the output, with some words`).join(
        "\n",
      );
    const result = (text: string, more: object = {}) =>
      message("", 0, {
        kind: "tool_result",
        actor: { type: "tool", id: "tool.Bash" },
        content: { tool: "Bash", text, ...more },
      });

    it("of a tool get one form, whole where they are short", async () => {
      const { store } = await open();
      const [event] = await store.append([
        result("two\nlines", { path: "src/a.ts", line_range: [1, 2] }),
      ]);
      expect(event?.content).toEqual({
        tool: "Bash",
        path: "src/a.ts",
        line_range: [1, 2],
        excerpt_text: "two\nlines",
        truncated: false,
        stats: { bytes: 9, lines: 2 },
      });
    });

    it("are cut at the ends of lines, with the whole as an artifact that is stored once", async () => {
      const { store, again } = await open();
      const text = lines(2_000);
      const [log, prompt, file, call] = await store.append([
        result(text),
        message(text),
        result(text, { path: "src/a.ts", line_range: [11, 2_010] }),
        message("", 0, {
          kind: "tool_call",
          content: { tool: "Write", input: { file_path: "a", content: text } },
        }),
      ]);
      const { excerpt_text, artifact_id, truncated, stats } = { ...log?.content } as Record<
        string,
        string
      >;
      expect({ truncated, stats }).toEqual({
        truncated: true,
        stats: { bytes: text.length, lines: 2_000 },
      });
      expect(excerpt_text?.startsWith("line 0 of the output, with some words\n")).toBe(true);
      expect(excerpt_text?.endsWith("\nline 1999 of the output, with some words")).toBe(true);
      expect(excerpt_text).toMatch(
        /words\n\[… [\d,]+ lines, [\d,]+ bytes left out …\]\nline \d+ of/,
      );
      expect(Buffer.byteLength(excerpt_text ?? "")).toBeLessThan(17_000);
      expect(await again().artifact(artifact_id ?? "")).toBe(text);
      expect(prompt?.content.cuts).toEqual([
        { field: "text", bytes: text.length, lines: 2_000, artifact_id },
      ]);
      expect(call?.content.cuts).toEqual([
        { field: "input.content", bytes: text.length, lines: 2_000, artifact_id },
      ]);
      const shown = String(file?.content.excerpt_text).split("\n").length - 1;
      expect(file?.content.line_range).toEqual([11, 10 + shown]);
      expect(await store.artifact("art_none")).toBeUndefined();
      expect(await store.artifact(`art_${"0".repeat(64)}`)).toBeUndefined();
    });

    const at = { kind: "tool_call", actor: { type: "agent", id: "claude-code" } } as const;
    /** Everything that can be long, by what is said of it; each gets its text at a place of its own. */
    const LONG: Readonly<Record<string, (text: string) => EventDraft>> = {
      "a request": (text) => message(text),
      "a result": (text) => result(text),
      "a part of a file": (text) => result(text, { path: "src/a.ts", line_range: [11, 2_010] }),
      "a command": (text) => message("", 2, { ...at, content: { tool: "Bash", command: text } }),
      "a file that is written": (text) =>
        message("", 3, { ...at, content: { tool: "Write", path: "a", input: { content: text } } }),
      "a change, of two": (text) =>
        message("", 4, {
          ...at,
          content: { tool: "Edit", input: { edits: [{ new_string: text }, { new_string: "x" }] } },
        }),
      "a change of a file with a dot": (text) =>
        message("", 5, {
          ...at,
          content: { tool: "patch", input: { changes: { "src/a.b.ts": { content: text } } } },
        }),
    };
    /** Texts of about so many characters: a log, one line, no blank at all, and characters of two units. */
    const FORMS: readonly ((random: Random, length: number) => string[])[] = [
      (random, length) =>
        Array.from({ length: length / 20 }, () => `${word(random, 5)} in ${word(random, 9)}\n`),
      (random, length) => Array.from({ length: length / 8 }, () => `${word(random, 7)} `),
      (_, length) => Array.from({ length: length / 4 }, () => "\ud83d\ude00, "),
      (_, length) => Array.from({ length: length / 2 }, () => "문장"),
    ];

    /** A number in letters: a word with digits is several. */
    const letters = (number: number) =>
      [...String(number)].map((digit) => "abcdefghij"[Number(digit)]).join("");

    it("are found by every word of them that is kept, and a hit shows the part that has it", async () => {
      // A busy machine takes longer to look for secrets than a text may take.
      const { store, again } = await open(UNREDACTED);
      const random = seeded("long texts");
      const planted: { word: string; draft: EventDraft }[] = [];
      for (const [name, draftOf] of Object.entries(LONG)) {
        for (const [form, make] of FORMS.entries()) {
          const pieces = make(random, 18_000 + 20_000 * random());
          const words = ["w", "x", "y", "z"].map(
            (letter) => `zz${letters(planted.length)}${letter}q`,
          );
          for (const one of words) {
            pieces.splice(Math.floor(random() * pieces.length), 0, ` ${one} `);
          }
          const draft = { ...draftOf(pieces.join("")), origin: `${name} ${form}` };
          planted.push(...words.map((one) => ({ word: one, draft })));
        }
      }
      await store.append([...new Set(planted.map(({ draft }) => draft))]);
      while (await store.prepareSearch()) {}
      for (const { word: one, draft } of planted) {
        const { hits } = await again().search({ text: one, limit: 3 });
        expect(hits[0]?.event.origin, one).toBe(draft.origin);
        expect(hits[0]?.text, one).toContain(one);
        expect((await wholeOf(hits[0]?.id ?? "", store)).text, one).toBe(hits[0]?.text);
      }
    });

    const middle = (text: string) => `${lines(500)}\n${text}\n${lines(500)}`;
    const found = async (store: EventStore, text: string) =>
      (await store.search({ text })).hits.length;

    it("do not keep other events out of the answer, however often they repeat a word", async () => {
      const { store } = await open(UNREDACTED);
      const others = Array.from({ length: 8 }, (_, at) =>
        message(`a kestrel, and much else that is said here of ${at}`, at),
      );
      await store.append([...others, result(`${"kestrel ".repeat(200)}\n`.repeat(600))]);
      const { hits } = await store.search({ text: "kestrel", limit: 9 });
      expect(new Set(hits.map(({ event }) => event.id)).size).toBe(9);
    });

    it("lose their secrets before they are indexed, and a purge and the end of their time take their words", async () => {
      const { store, again, setClock } = await open();
      const secret = `ghp_${word(seeded("secret"), 36)}`;
      const [log, old] = await store.append([
        result(middle(`ibis ${secret}`)),
        message(middle("heron"), 1),
      ]);
      while (await store.prepareSearch()) {}
      const { hits } = await store.search({ text: "ibis" });
      expect(hits[0]?.text).toContain("ibis [REDACTED");
      expect([hits.length, await found(store, "heron")]).toEqual([1, 1]);
      await store.purge({ ids: [log?.id ?? ""] });
      expect([
        await found(store, "ibis"),
        await found(again(), "ibis"),
        await found(store, "heron"),
      ]).toEqual([0, 0, 1]);
      setClock(NOON + 100 * DAY);
      expect(await store.retain({ artifactsDays: 90, artifactsBytes: 1e9 })).toMatchObject({
        artifacts: 1,
      });
      for (const one of [store, again()]) {
        expect([await found(one, "heron"), await found(one, "line 0")]).toEqual([0, 1]);
        expect(await one.find([old?.id ?? ""])).toEqual([old]);
      }
    });
  });

  describe(`${name}, a purge`, () => {
    const long = (word: string) => `${word}\n${"a line of the output\n".repeat(1_000)}`;
    const printed = (word: string, origin: string): EventDraft =>
      message("", 1, {
        kind: "tool_result",
        session: "s2",
        origin,
        content: { tool: "Bash", text: long(word) },
      });
    /** Three of session s1, two of s2, of which one stands in an artifact that only it has. */
    async function furnish(store: EventStore): Promise<Event[]> {
      const events = await store.append([
        message("the door is red", 0, { origin: "1" }),
        message("the key is under the mat", 1, { origin: "2", tags: ["topic:keys"] }),
        message("the window", 24 * 60, { origin: "3", kind: "decision" }),
        printed("shared", "4"),
        printed("alone", "5"),
      ]);
      await store.append([message(long("shared"), 2, { origin: "6" })]);
      return events as Event[];
    }

    it("of events takes them, once, whoever appends their origin again; the others stay", async () => {
      const { store, again } = await open();
      const [door, mat, window] = await furnish(store);
      const ids = [mat?.id ?? "", window?.id ?? ""];
      const expected = { events: 2, kinds: { message: 1, decision: 1 }, artifacts: 0 };
      expect(await store.toPurge({ ids })).toEqual(expected);
      expect(await texts(store, { session: "s1", kinds: ["decision"] })).toEqual(["the window"]);
      expect(await store.purge({ ids })).toEqual(expected);
      expect(await store.purge({ ids })).toEqual({ events: 0, kinds: {}, artifacts: 0 });
      expect(await store.find(ids)).toEqual([]);
      expect(await texts(again(), { session: "s1", to: "2026-11-21T12:02:00Z" })).toEqual([
        "the door is red",
      ]);
      const batch = [
        message("the key is under the mat", 1, { origin: "2" }),
        message("the door is red", 0, { origin: "1" }),
      ];
      expect(await again().append(batch)).toEqual([
        undefined,
        expect.objectContaining({ id: door?.id }),
      ]);
      expect(await store.append([message("the mat", 60, { origin: "2" })])).toEqual([undefined]);
      expect(await store.find(ids)).toEqual([]);
      expect((await store.statistics()).purged).toBe(2);
    });

    it("of a session takes all of it, with the artifacts that nothing else has, and what is read of it later", async () => {
      const { store, again } = await open();
      const [, , , shared, alone] = await furnish(store);
      const expected = { events: 2, kinds: { tool_result: 2 }, artifacts: 1 };
      expect(await store.toPurge({ session: "s2" })).toEqual(expected);
      expect(await store.purge({ session: "s2" })).toEqual(expected);
      expect(await store.artifact(artifactIn(alone))).toBeUndefined();
      expect(await again().artifact(artifactIn(shared))).toBe(long("shared"));
      expect(
        await again().append([printed("alone", "5"), message("new", 99, { session: "s2" })]),
      ).toEqual([undefined, undefined]);
      expect(await all(store, { session: "s2" })).toEqual([]);
      expect(await store.artifact(artifactIn(alone))).toBeUndefined();
    });

    it("of a text takes every event that holds it, also in the part of it that was cut", async () => {
      const { store } = await open();
      await furnish(store);
      const hidden = `${"first line\n".repeat(2_000)}the needle\n${"last line\n".repeat(2_000)}`;
      const [cut] = await store.append([
        message(hidden, 3),
        message("", 4, { content: { input: { "the needle": 1 } } }),
      ]);
      await store.append([message("sewing", 5, { tags: ["the needle"] }), message("the needl", 6)]);
      const artifact = artifactIn(cut);
      expect(await store.purge({ text: "the needle" })).toEqual({
        events: 3,
        kinds: { message: 3 },
        artifacts: 1,
      });
      expect(await store.artifact(artifact)).toBeUndefined();
      expect(await store.purge({ text: "the needle" })).toMatchObject({ events: 0 });
      expect((await all(store)).length).toBe(7);
      await expect(store.purge({ text: " " })).rejects.toMatchObject({ code: "bad_argument" });
      // What is ours in every line is not what anybody said.
      expect(await store.toPurge({ text: "sensitivity" })).toMatchObject({ events: 0 });
    });

    it("of a text that very many hold takes all of them, and each was found by its id", async () => {
      const { store } = await open();
      const drafts = Array.from({ length: 1_200 }, (_, at) => message(`the needle ${at}`, at / 10));
      await store.append([...drafts, message("the thread", 150)]);
      const events = await all(store);
      expect(await store.find(events.map(({ id }) => id).toReversed())).toEqual(events);
      expect(await store.purge({ text: "the needle" })).toMatchObject({ events: 1_200 });
      expect(await texts(store)).toEqual(["the thread"]);
    });

    it("leaves no whole text of what was given again with another one", async () => {
      const { store, again } = await open();
      const given = (word: string, minutes: number, more: Partial<EventDraft> = {}) =>
        message(long(word), minutes, { origin: "7", ...more });
      const batches = [
        [given("first", 5), given("later in the batch", 6)],
        [given("later", 7)],
        [given("for the team", 8, { channel: "team" })],
        [given("earlier", 1)],
      ];
      const events: (Event | undefined)[] = [];
      for (const batch of batches) {
        events.push(...(await store.append(batch)));
      }
      const [current] = await all(store);
      expect(current?.content.text).toMatch(/^earlier/);
      expect(await again().artifact(artifactIn(current))).toBe(long("earlier"));
      await store.purge({ ids: [current?.id ?? ""] });
      for (const event of events) {
        expect(await again().artifact(artifactIn(event))).toBeUndefined();
      }
    });
  });

  describe(`${name}, retention`, () => {
    const large = (word: string) =>
      Array.from({ length: 3_000 }, (_, at) => `${word} ${at * 7_919}`).join("\n");
    const LIMITS = { artifactsDays: 90, artifactsBytes: 1_000_000_000 };

    it("drops events by whole days, and all of them stay where no limit says otherwise", async () => {
      const { store, setClock } = await open();
      await store.append([message("old", -2 * 24 * 60), message("a"), message("b", 24 * 60)]);
      setClock(NOON + 30 * DAY);
      expect(await store.retain(LIMITS)).toEqual({ events: 0, artifacts: 0, bytes: 0 });
      expect(await store.retain({ ...LIMITS, eventsDays: 30 })).toMatchObject({
        events: 1,
        bytes: expect.toSatisfy((bytes) => bytes > 100),
      });
      expect(await texts(store)).toEqual(["a", "b"]);
      expect(await store.retain({ ...LIMITS, eventsDays: 29 })).toMatchObject({ events: 1 });
      expect(await texts(store)).toEqual(["b"]);
    });

    it("drops artifacts by their days, and beyond their bytes those that were unused longest; their events stay", async () => {
      const { store, setClock } = await open();
      const ids: string[] = [];
      for (const [at, word] of ["one", "two", "three", "four"].entries()) {
        setClock(NOON + at * DAY);
        const [event] = await store.append([message(large(word), at)]);
        ids.push(artifactIn(event));
      }
      // The second is used once more, so the third is older.
      await store.append([message(large("two"), 9)]);
      const there = async () =>
        Promise.all(ids.map(async (id) => (await store.artifact(id)) !== undefined));
      const { artifactBytes } = await store.statistics();
      expect(await there()).toEqual([true, true, true, true]);
      expect(await store.retain({ artifactsDays: 2.5, artifactsBytes: 1e9 })).toMatchObject({
        artifacts: 1,
        events: 0,
      });
      expect(await there()).toEqual([false, true, true, true]);
      const { bytes } = await store.retain({
        artifactsDays: 90,
        artifactsBytes: artifactBytes * 0.6,
      });
      expect(await there()).toEqual([false, true, false, true]);
      const left = (await store.statistics()).artifactBytes;
      expect(left).toBeLessThanOrEqual(artifactBytes * 0.6);
      expect(bytes).toBeGreaterThan(1_000);
      expect((await all(store)).length).toBe(5);
    });
  });

  describe(`${name}, a search`, () => {
    it("finds what was acknowledged, best first, with what stands around it, from every opening", async () => {
      const { store, again } = await open();
      await store.append([
        message("why does the build fail?", 1),
        message("the parser of retry_count was wrong", 2),
        message("then let us fix it", 3),
        message("nothing of that", 4, { session: "s2" }),
      ]);
      for (const one of [store, again()]) {
        const query = { text: "retryCount parser", limit: 1 };
        const { hits, chunks, notIndexed, isCut } = await one.search({
          ...query,
          withNeighbours: true,
        });
        expect({ chunks, notIndexed, isCut }).toEqual({
          chunks: 4,
          notIndexed: { days: [], bytes: 0 },
          isCut: false,
        });
        expect(hits).toHaveLength(1);
        const [hit] = hits;
        expect(hit?.id).toBe(`chk_${hit?.event.id.slice(4)}_01`);
        expect(hit?.text).toBe("the parser of retry_count was wrong");
        expect([hit?.before?.text, hit?.after?.text]).toEqual([
          "why does the build fail?",
          "then let us fix it",
        ]);
        expect(hit?.score).toBeGreaterThan(0);
        const { before: _, after: __, ...alone } = hit as SearchHit;
        expect((await one.search(query)).hits).toEqual([alone]);
      }
    });

    it("finds what a call wrote and asked, and not what it took out", async () => {
      const { store } = await open();
      const call = (content: EventDraft["content"], minutes: number): EventDraft =>
        message("", minutes, {
          session: `s${minutes}`,
          kind: "tool_call",
          actor: { type: "agent", id: "claude" },
          content,
        });
      const edit = {
        old_string: "const MERGE_LIMIT = 60;",
        new_string: "const MERGE_TIMEOUT = 120;",
      };
      await store.append([
        call({ tool: "Edit", path: "src/merge.ts", edits: true, input: { edits: [edit] } }, 1),
        call(
          {
            tool: "apply_patch",
            path: "src/a.ts",
            edits: true,
            input: { input: "+ retryTwice();" },
          },
          2,
        ),
        call(
          {
            tool: "AskUserQuestion",
            input: { questions: [{ question: "Commit without the hook?" }] },
          },
          3,
        ),
      ]);
      const found = async (text: string) =>
        (await store.search({ text })).hits.map(({ event }) => event.content.tool);
      expect(await found("merge timeout")).toEqual(["Edit"]);
      expect(await found("retry twice")).toEqual(["apply_patch"]);
      expect(await found("the hook")).toEqual(["AskUserQuestion"]);
      expect(await found("limit")).toEqual([]);
    });

    it("gives what somebody said before what a tool printed, where both match as well", async () => {
      const { store } = await open();
      const printed = { tool: "Bash", command: "cat a.txt", text: "the port is closed" };
      await store.append([
        message("the port is closed", 1),
        message("", 2, {
          session: "s2",
          kind: "tool_result",
          actor: { type: "tool", id: "Bash" },
          content: printed,
        }),
      ]);
      const { hits } = await store.search({ text: "port closed" });
      expect(hits.map(({ event }) => event.kind)).toEqual(["message", "tool_result"]);
      expect((await store.search({ text: "port closed", limit: 1 })).hits).toEqual(
        hits.slice(0, 1),
      );
    });

    it("gives ids and scores as if each event were read, in English, Korean and Chinese", async () => {
      const { store, again, setClock } = await open();
      setClock(NOON + 4 * DAY);
      const random = seeded("contract");
      for (let batch = 0; batch < 6; batch++) {
        await store.append(
          Array.from({ length: 40 }, (_, at) =>
            randomEvent(random, 40 * batch + at, { from: NOON, days: 3 }),
          ),
        );
        if (batch % 2 === 0) {
          await again().prepareSearch();
        }
      }
      const reference = await referenceSearch(store);
      const queries = [
        "커넥션 풀",
        "缓存失效 连接池",
        "refund flow",
        "which flow, the refund flow or the flow of the cache",
        ...Array.from({ length: 20 }, () => randomQuery(random)),
      ];
      for (const query of queries) {
        const [ranked, expected] = [await rankedBy(store, query), reference(query)];
        expect(ranked.map(({ id }) => id)).toEqual(expected.map(({ id }) => id));
        for (const [at, { score }] of ranked.entries()) {
          expect(score).toBeCloseTo(expected[at]?.score ?? 0, 5);
        }
        expect(ranked.length).toBeGreaterThan(0);
      }
    });

    it("of nothing, or of words that nobody said, finds nothing", async () => {
      const { store } = await open();
      expect(await store.search({ text: "door" })).toMatchObject({ hits: [], chunks: 0 });
      await store.append([message("the door is red")]);
      for (const text of ["", "the is", "window"]) {
        expect((await store.search({ text })).hits).toEqual([]);
      }
    });

    it("finds an event once, the earliest of it, wherever its origin was read again", async () => {
      const { store, again, setClock } = await open();
      setClock(NOON + 4 * DAY);
      await store.append([message("the red door", 2 * 24 * 60, { origin: "1" })]);
      while (await store.prepareSearch()) {}
      const [first] = await again().append([message("the red door", 0, { origin: "1" })]);
      for (const one of [store, again()]) {
        const { hits, chunks } = await one.search({ text: "door" });
        expect([hits.map(({ event }) => event.id), chunks]).toEqual([[first?.id], 1]);
        while (await one.prepareSearch()) {}
      }
    });

    it("finds nothing of what was purged or is over its time, from the same call on", async () => {
      const { store, again, setClock } = await open();
      setClock(NOON + 4 * DAY);
      await store.append([
        message("a red door", 0),
        message("a red window", 24 * 60),
        message("a red mat", 48 * 60),
      ]);
      const other = again();
      const found = async () => {
        const all = await Promise.all(
          [store, other, again()].map((one) => one.search({ text: "red" })),
        );
        return all.map(({ hits }) => hits.map(({ text }) => text).sort());
      };
      while (await other.prepareSearch()) {}
      const both = ["a red mat", "a red window"];
      await store.purge({ text: "door" });
      expect(await found()).toEqual([both, both, both]);
      while (await other.prepareSearch()) {}
      expect(await found()).toEqual([both, both, both]);
      setClock(NOON + 31 * DAY);
      await store.retain({ eventsDays: 30, artifactsDays: 90, artifactsBytes: 1e9 });
      expect(await found()).toEqual([both, both, both]);
      await store.retain({ eventsDays: 29, artifactsDays: 90, artifactsBytes: 1e9 });
      expect(await found()).toEqual([["a red mat"], ["a red mat"], ["a red mat"]]);
    });

    it("has at most 1,000 hits, of equal ones the newest, and says that there may be more", async () => {
      const { store, setClock } = await open();
      setClock(NOON + 4 * DAY);
      const drafts = Array.from({ length: 2_100 }, (_, at) => message("the red door", at));
      await store.append(drafts);
      const { hits, isCut } = await store.search({ text: "door", limit: 2_000 });
      expect([hits.length, isCut]).toEqual([1_000, true]);
      // What stands beside these counts, too: the last two have less of it.
      const newest = new Set(drafts.slice(-1_002).map(({ ts }) => ts));
      expect(hits.filter(({ event }) => !newest.has(event.ts))).toEqual([]);
    });
  });

  describe(`${name}, statistics`, () => {
    it("count what is there, and what was taken out", async () => {
      const { store, setClock } = await open();
      setClock(NOON + 4 * DAY);
      expect(await store.statistics()).toEqual({
        events: 0,
        bytes: 0,
        artifactBytes: 0,
        days: 0,
        damaged: 0,
        redacted: {},
        purged: 0,
        indexed: { chunks: 0, missingBytes: 0 },
      });
      const secret = ["pass", "word: winter24!x"].join("");
      await store.append([
        message("a"),
        message("a", 0, { origin: "1" }),
        message("a", 0, { origin: "1" }),
      ]);
      await store.append([message(secret, 48 * 60), message(`${secret} and ${secret}`, 49 * 60)]);
      expect(await store.statistics()).toMatchObject({
        events: 4,
        bytes: expect.toSatisfy((bytes) => bytes > 500),
        days: 2,
        redacted: { password: 2 },
        // A store may index at once or later.
        indexed: expect.toSatisfy(({ chunks, missingBytes }) => chunks === 4 || missingBytes > 500),
      });
      while (await store.prepareSearch()) {}
      expect((await store.statistics()).indexed).toEqual({ chunks: 4, missingBytes: 0 });
    });
  });

  describe(`${name}, its windows`, () => {
    const decide = (decision: string, minutes: number, more: Partial<EventDraft> = {}) =>
      message("", minutes, {
        kind: "decision",
        content: { decision, rationale: ["It is small."] },
        ...more,
      });

    it("tell what was decided at any time, and what was said in the last days", async () => {
      const { store, again, setClock } = await open();
      const monthsLater = 90 * 24 * 60;
      setClock(NOON + (monthsLater + 1) * MINUTE);
      await store.append([
        decide("Keep files", 0, { channel: "team" }),
        message("Long ago", 1),
        message("A day too old", monthsLater - 14 * 24 * 60),
        message("Thirteen days ago", monthsLater - 13 * 24 * 60),
        message("Please fix the door of the garage", monthsLater),
        message("Held back", monthsLater, {
          kind: "pin",
          content: { text: "a pin" },
          sensitivity: "secret",
        }),
      ]);
      for (const one of [store, again()]) {
        const [entry, ...others] = await one.brief("ledger");
        expect(others).toEqual([]);
        expect(entry).toMatchObject({
          kind: "decision",
          channel: "team",
          content: { rationale: ["It is small."] },
        });
        expect((await one.brief("recent")).map(({ content }) => content.text)).toEqual([
          "Thirteen days ago",
          "Please fix the door of the garage",
        ]);
      }
    });

    it("no longer tell what was purged", async () => {
      const { store, again } = await open();
      const [kept, purged] = await store.append([
        decide("Keep files", 0),
        decide("Use a database", 1),
      ]);
      const other = again();
      for (const one of [store, other]) {
        await one.brief("ledger");
      }
      await store.purge({ ids: [purged?.id ?? ""] });
      for (const one of [store, other, again()]) {
        expect((await one.brief("ledger")).map(({ id }) => id)).toEqual([kept?.id]);
      }
    });
  });
}
