import { describe, expect, it } from "vitest";
import {
  firstOn,
  isOn,
  type LogManifest,
  manifestText,
  mayRecord,
  parseManifest,
} from "./find-log.ts";

const at = (hour: number) => `2026-11-20T${String(hour).padStart(2, "0")}:00:00.000Z`;
const manifest = (more: Partial<LogManifest>): LogManifest => ({
  format: 1,
  id: "01ARYZ6S410000000000000000",
  project: "/home/me/shop",
  intervals: [],
  skipped: [],
  ...more,
});
const allows = (of: LogManifest, time: string, session = "s1") =>
  mayRecord(of, { at: Date.parse(time), session });

describe("a line may be recorded", () => {
  const worked = manifest({
    intervals: [{ on: at(9), off: at(10) }, { on: at(12) }],
    skipped: ["secret"],
  });

  it("when it was said while recording was on: from the first moment, and up to the last", () => {
    const times = [at(8), at(9), "2026-11-20T09:59:59.999Z", at(10), at(11), at(12), at(23)];
    expect(times.map((time) => allows(worked, time))).toEqual([
      false,
      true,
      true,
      false,
      false,
      true,
      true,
    ]);
  });

  it("not when its session was skipped, or its time is none", () => {
    expect(allows(worked, at(9), "secret")).toBe(false);
    expect(allows(worked, "yesterday")).toBe(false);
  });

  it("of which only a span is known, when recording was on in all of it", () => {
    const imported = manifest({
      intervals: [...worked.intervals, { on: at(2), off: at(9), past: true }],
    });
    const spans = [
      [9, 9],
      [9, 10],
      [9, 13],
      [12, 23],
      [3, 9],
      [3, 12],
      [1, 3],
    ].map(([from = 0, to = 0]) => ({
      at: Date.parse(at(from)),
      until: Date.parse(at(to)),
      session: "s1",
    }));
    expect(spans.map((span) => mayRecord(imported, span))).toEqual([
      true,
      false,
      false,
      true,
      true,
      false,
      false,
    ]);
    expect(
      mayRecord(worked, { at: Date.parse(at(9)), until: Date.parse(at(8)), session: "s1" }),
    ).toBe(true);
  });

  it("never without an interval, or in one that ends before it begins", () => {
    expect(allows(manifest({}), at(9))).toBe(false);
    expect(
      allows(manifest({ intervals: [{ on: at(10), off: at(9) }] }), "2026-11-20T09:30:00.000Z"),
    ).toBe(false);
  });

  it("in a past that was agreed to, which does not count as the first time it was on", () => {
    const imported = manifest({
      intervals: [{ on: at(9) }, { on: at(2), off: at(9), past: true }],
    });
    expect([allows(imported, at(3)), allows(imported, at(1))]).toEqual([true, false]);
    expect(firstOn(imported)).toBe(Date.parse(at(9)));
    expect(isOn(manifest({ intervals: [{ on: at(2), off: at(9), past: true }] }))).toBe(false);
  });
});

describe("the text of a manifest", () => {
  it("is read as it was written", () => {
    const full = manifest({
      intervals: [{ on: at(9), off: at(10), past: true }, { on: at(12) }],
      skipped: ["a"],
    });
    expect(parseManifest(manifestText(full))).toEqual(full);
  });

  it.each([
    "",
    "null",
    "[]",
    '"x"',
    "{",
    manifestText(manifest({})).replace('"skipped"', '"other"'),
    manifestText(manifest({ intervals: [{ on: "soon" }] })),
    manifestText(manifest({ intervals: [{ on: at(9), off: "later" }] })),
    manifestText(manifest({})).replace('"intervals": []', '"intervals": [null]'),
  ])("is not understood in part (%#)", (text) => {
    expect(parseManifest(text)).toBeUndefined();
  });
});
