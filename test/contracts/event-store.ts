/**
 * What every store of events has to do, as tests over a factory: the file store passes them, and so has any other.
 */
import { describe, expect, it } from "vitest";
import type { Event, EventDraft } from "../../src/events/event.ts";
import { identityFrom, readEventId } from "../../src/events/event-id.ts";
import type { EventQuery, EventStore } from "../../src/events/store.ts";

type Tested = Pick<EventStore, "append" | "read" | "find" | "artifact">;

export interface StoreOfTest {
  readonly store: Tested;
  /** Another opening of the same record, as another process has one. */
  again(): Tested;
  /** What the store's clock shows next. */
  setClock(now: number): void;
}

export const NOON = Date.parse("2026-11-21T12:00:00.000Z");
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** A message of a session, so many minutes after noon. */
export function message(text: string, minutes = 0, more: Partial<EventDraft> = {}): EventDraft {
  const ts = new Date(NOON + minutes * MINUTE).toISOString();
  const said = { session: "s1", agent: "claude-code", actor: { type: "human", id: "user" }, kind: "message" } as const;
  return { ts, ...said, content: { text }, ...more };
}

export async function all(store: Tested, query?: EventQuery): Promise<Event[]> {
  const events: Event[] = [];
  for await (const event of store.read(query)) events.push(event);
  return events;
}

export async function texts(store: Tested, query?: EventQuery): Promise<unknown[]> {
  return (await all(store, query)).map(({ content }) => content.text ?? content.excerpt_text);
}

export function describeEventStore(name: string, open: () => Promise<StoreOfTest>): void {
  describe(`${name}, what is appended`, () => {
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
      expect(readEventId(event?.id ?? "")).toEqual({ time: NOON, identity: identityFrom("claude-code/line-1") });
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
        { content: ["a"] },
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
  });

  describe(`${name}, one origin or key`, () => {
    it("is one event, however often and from wherever it is appended; the earliest counts, and either id finds it", async () => {
      const { store, again } = await open();
      const [first] = await store.append([message("once", 5, { key: "retry-1" })]);
      const [second] = await again().append([message("once", 6, { key: "retry-1" })]);
      await store.append([message("read", 1, { origin: "line" }), message("read", 1, { origin: "line" })]);
      expect(second?.id).not.toBe(first?.id);
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
      const { store } = await open();
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
      expect(await texts(store, { from: "2026-11-22T10:00:00+09:00", to: "2026-11-22T03:00:00+01:00" })).toEqual(["c"]);
      expect(await texts(store, { session: "s2" })).toEqual(["d"]);
      expect(await texts(store, { kinds: ["decision", "pin"] })).toEqual(["a"]);
      expect(await texts(store, { refs: [root?.id ?? "", "chk_x"] })).toEqual(["c", "e"]);
      expect(await texts(store, { session: "s1", kinds: ["message"], to: at(60), newestFirst: true })).toEqual(["b"]);
      expect(await texts(store, { session: "s" })).toEqual([]);
    });

    it("finds events by their ids, and nothing by what is not one", async () => {
      const { store } = await open();
      const events = await store.append([message("a"), message("b", 1), message("c", 24 * 60)]);
      const ids = events.map((event) => event?.id ?? "");
      expect(await store.find([ids[2] ?? "", ids[0] ?? "", "evt_", "", "nonsense"])).toEqual([events[0], events[2]]);
      expect(await store.find([])).toEqual([]);
    });
  });

  describe(`${name}, long texts`, () => {
    const lines = (count: number) =>
      Array.from({ length: count }, (_, at) => `line ${at} of the output, with some words`).join("\n");
    const result = (text: string, more: object = {}) =>
      message("", 0, {
        kind: "tool_result",
        actor: { type: "tool", id: "tool.Bash" },
        content: { tool: "Bash", text, ...more },
      });

    it("of a tool get one form, whole where they are short", async () => {
      const { store } = await open();
      const [event] = await store.append([result("two\nlines", { path: "src/a.ts", line_range: [1, 2] })]);
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
        message("", 0, { kind: "tool_call", content: { tool: "Write", input: { file_path: "a", content: text } } }),
      ]);
      const { excerpt_text, artifact_id, truncated, stats } = { ...log?.content } as Record<string, string>;
      expect({ truncated, stats }).toEqual({ truncated: true, stats: { bytes: text.length, lines: 2_000 } });
      expect(excerpt_text?.startsWith("line 0 of the output, with some words\n")).toBe(true);
      expect(excerpt_text?.endsWith("\nline 1999 of the output, with some words")).toBe(true);
      expect(excerpt_text).toMatch(/words\n\[… [\d,]+ lines, [\d,]+ bytes left out …\]\nline \d+ of/);
      expect(Buffer.byteLength(excerpt_text ?? "")).toBeLessThan(17_000);
      expect(await again().artifact(artifact_id ?? "")).toBe(text);
      expect(prompt?.content.cuts).toEqual([{ field: "text", bytes: text.length, lines: 2_000, artifact_id }]);
      expect(call?.content.cuts).toEqual([{ field: "input.content", bytes: text.length, lines: 2_000, artifact_id }]);
      const shown = String(file?.content.excerpt_text).split("\n").length - 1;
      expect(file?.content.line_range).toEqual([11, 10 + shown]);
      expect(await store.artifact("art_none")).toBeUndefined();
      expect(await store.artifact(`art_${"0".repeat(64)}`)).toBeUndefined();
    });
  });
}
