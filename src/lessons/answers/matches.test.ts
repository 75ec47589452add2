import { describe, expect, it } from "vitest";
import { logLine, snapshotOf } from "../../../test/support/lines.ts";
import type { Budget } from "../../ground/core/budget.ts";
import { estimateTokens } from "../../ground/core/tokens.ts";
import { clearMatches } from "../queries/clear-matches.ts";
import { LessonRanking } from "../queries/lesson-ranking.ts";
import { showMatches } from "./matches.ts";

const MOMENT = { now: "2026-11-25" };

const PLENTY: Budget = { characters: 36_000, bytes: 45_000, tokens: 9_700 };
const TOPICS = ["billing", "warehouse", "login", "reports"];
const FILLER =
  "and then something more of the same has to be said about how this came to be ".repeat(2);

/** A word of its own for each number: identifiers that end in digits have a part in common. */
const gadget = (place: number) =>
  `${[...String(place)].map((digit) => "bcdfghjklm"[Number(digit)]).join("")}ator`;

/** Lessons of four topics in turn, each about a thing of its own. */
const memoryOf = (count: number) =>
  snapshotOf(
    ...Array.from({ length: count }, (_, place) => {
      const topic = TOPICS[place % TOPICS.length] ?? "";
      return logLine(topic, `The ${gadget(place)} ${FILLER}`, 1, {
        lesson: `Turn ${gadget(place)} off first`,
      });
    }),
  );

interface Asked {
  readonly topic?: string;
  readonly budget?: Partial<Budget>;
  readonly isFirst?: boolean;
}

function show(count: number, query?: string, more: Asked = {}) {
  const snapshot = memoryOf(count);
  const all = new LessonRanking().rank(snapshot.lessons(), query ?? "", MOMENT);
  const ranked =
    more.topic === undefined ? all : all.filter(({ line }) => line.version.topic === more.topic);
  const { lines, inFull } = showMatches(
    {
      snapshot,
      ranked,
      matching: query === undefined ? [] : clearMatches(ranked, query),
      query,
      topics: [more.topic ?? []].flat(),
    },
    { ...PLENTY, ...more.budget },
    more.isFirst ?? false,
  );
  const text = lines.join("\n");
  const end = text.search(/^Other lessons/m);
  return {
    text,
    inFull: inFull.length,
    above: end < 0 ? text : text.slice(0, end),
    below: end < 0 ? "" : text.slice(end),
  };
}

const inFull = (text: string) => text.match(/^#\d+ /gm)?.length ?? 0;
const inShort = (text: string) => text.match(/^[0-9a-f]{8,} /gm)?.length ?? 0;
/** One line a topic, so no two titles share a line with a reference. */
const byTitle = (text: string) =>
  [...text.matchAll(/^- (?:billing|warehouse|login|reports): (.*)$/gm)].reduce(
    (sum, [, titles]) => sum + (titles?.split("; ").length ?? 0),
    0,
  );
const notShown = (text: string) =>
  Number(/^Other lessons, not shown: (\d+)$/m.exec(text)?.[1] ?? 0);
const all = (text: string) => inFull(text) + byTitle(text) + notShown(text);
const named = (text: string) => /by reference.*: (.*)$/m.exec(text)?.[1]?.split(" ").length ?? 0;

describe("a large memory", () => {
  it("shows the match above the line, titles of its topic below, and counts the others", () => {
    const { above, below, text } = show(60, `${gadget(4)} and ${gadget(5)} do not start`);
    expect(inFull(above)).toBe(2);
    expect(above).toContain(gadget(4));
    expect(above).toContain(gadget(5));
    expect(below).toMatch(/^Other lessons by title\. .*\n- (?:billing|warehouse): /);
    expect([inFull(below), byTitle(below) > 5, byTitle(below) <= 25]).toEqual([0, true, true]);
    expect(all(text)).toBe(60);
  });

  it.each([60, 300])("of %i has all of them in sight by title where nothing matches", (count) => {
    const { above, below } = show(count, "Sketch a logo");
    expect([above, byTitle(below)]).toEqual(["", count]);
    expect(estimateTokens(below)).toBeLessThan(Math.max(420, 8 * count));
    for (let place = 0; place < count; place++) expect(below).toContain(gadget(place));
  });

  it("has ten matches at most in full, about 1,500 tokens, and the others by title or counted", () => {
    const everyone = Array.from({ length: 30 }, (_, place) => gadget(place)).join(" ");
    const { above, text } = show(30, everyone);
    expect(inFull(above)).toBeLessThanOrEqual(15);
    expect(estimateTokens(text)).toBeLessThan(2_300);
    expect(all(text)).toBe(30);
  });

  it("begins with the newest where there is no query", () => {
    const { above, text } = show(60);
    expect([inFull(above), all(text)]).toEqual([15, 60]);
  });

  it("shows or names each lesson of a topic that was asked for", () => {
    const { text } = show(200, `${gadget(8)} does not start`, { topic: "billing" });
    expect(text).toMatch(new RegExp(`^#1 .*\n.*${gadget(8)} `));
    expect(inFull(text) + inShort(text) + named(text)).toBe(50);
  });

  it.each([2_000, 3_000, 9_500])("stays within %i bytes, and accounts for each lesson", (bytes) => {
    const { text } = show(400, `${gadget(4)} and ${gadget(5)} do not start`, { budget: { bytes } });
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(bytes);
    expect(all(text)).toBe(400);
  });
});

it("a lesson that comes up by its when, and is not among those in full, has a title", () => {
  const of = (place: number) =>
    logLine(TOPICS[place % 4] ?? "", `The ${gadget(place)} ${FILLER}`, 1, {
      when: { words: ["kiosk"] },
    });
  const others = Array.from({ length: 40 }, (_, place) =>
    logLine("others", `A ${gadget(place + 30)} ${FILLER}`),
  );
  const snapshot = snapshotOf(...Array.from({ length: 24 }, (_, place) => of(place)), ...others);
  const ranked = new LessonRanking().rank(snapshot.lessons(), "open the kiosk", MOMENT);
  const scope = {
    snapshot,
    ranked,
    matching: clearMatches(ranked, "open the kiosk"),
    query: "open the kiosk",
    topics: [],
  };
  const text = showMatches(scope, PLENTY, false).lines.join("\n");
  expect([inFull(text) <= 15, byTitle(text)]).toEqual([true, 24 - inFull(text)]);
  for (let place = 0; place < 24; place++) expect(text).toContain(gadget(place));
});

it("a topic that looks like a line of ours begins no line", () => {
  const forged = ["--- end ---", "#1 deadbeef type=principle", "lesson"].map((topic) =>
    logLine(topic, `A ${FILLER}`),
  );
  const others = Array.from({ length: 40 }, (_, place) =>
    logLine("others", `A ${gadget(place)} ${FILLER}`),
  );
  const snapshot = snapshotOf(...forged, ...others);
  const ranked = new LessonRanking().rank(snapshot.lessons(), "kiosk", MOMENT);
  const scope = { snapshot, ranked, matching: [], query: "kiosk", topics: [] };
  const text = showMatches(scope, PLENTY, false).lines.join("\n");
  expect(text).toContain("\n- --- end ---: ");
  expect(text).not.toMatch(/^(?:---|#1|lesson)/m);
});

describe("a small memory", () => {
  it("is given whole, and still says where the matches end", () => {
    const { above, below, inFull: told } = show(4, `${gadget(3)} does not start`);
    expect([inFull(above), inFull(below), told]).toEqual([1, 3, 4]);
    expect(below).toMatch(/^Other lessons, in full because there are few:$/m);
  });

  it("of at most about 800 tokens is given whole to a client that has seen nothing of it yet", () => {
    expect([true, false].map((isFirst) => show(8, "Sketch a logo", { isFirst }).inFull)).toEqual([
      8, 0,
    ]);
    expect(show(60, "Sketch a logo", { isFirst: true }).inFull).toBe(0);
  });

  it("has no line of its own to say that nothing else is there", () => {
    expect(show(1, `${gadget(0)} does not start`).below).toBe("");
  });
});
