import { describe, expect, it } from "vitest";
import { joinedWhen, type When, whenOf, whenTooLarge } from "./when.ts";

const joined = (...whens: (When | undefined)[]) => joinedWhen(whens.map((when) => ({ when })));

describe("when of a line", () => {
  it("says what it can be read to say", () => {
    const when = {
      paths: ["b", "a", "b", 1, ""],
      errors: "x",
      not: { words: ["w"], errors: ["e"] },
      all: 1,
      from: "soon",
      until: "2026-12-31",
    };
    expect(whenOf({ when })).toEqual({
      paths: ["a", "b"],
      not: { words: ["w"] },
      until: "2026-12-31",
    });
    for (const nothing of [undefined, null, "x", [], 1]) {
      expect(whenOf({ when: nothing })).toEqual({});
    }
    expect(whenOf({ when: { until: "2026-02-40", from: "2026-1-1" } })).toEqual({});
    expect(whenOf({ when: { from: "2026-12-01 10:00", until: "2026-12-01T23:59" } })).toEqual({
      from: "2026-12-01 10:00",
      until: "2026-12-01 23:59",
    });
    for (const from of ["2026-12-01 24:00", "2026-12-01 10:60", "2026-12-01 1:00", "10:00"]) {
      expect(whenOf({ when: { from } })).toEqual({});
    }
  });
});

describe("when of several lessons together", () => {
  it("comes up by all that each of them comes up by", () => {
    expect(
      joined({ commands: ["b"], paths: ["x"] }, { commands: ["a"], errors: ["e"] }, undefined),
    ).toEqual({
      paths: ["x"],
      commands: ["a", "b"],
      errors: ["e"],
    });
  });

  it("keeps only what restricts all of them, and of that the widest", () => {
    const a: When = {
      words: ["w"],
      not: { branches: ["dev", "main"], words: ["x"] },
      branches: ["r/1"],
      from: "2026-01-01",
      until: "2026-02-01",
    };
    const b: When = {
      words: ["v"],
      not: { branches: ["main"] },
      branches: ["r/2"],
      from: "2025-01-01",
      until: "2026-03-01",
    };
    expect(joined(a, b)).toEqual({
      words: ["v", "w"],
      not: { branches: ["main"] },
      branches: ["r/1", "r/2"],
      from: "2025-01-01",
      until: "2026-03-01",
    });
    expect(joined(a, b, { words: ["u"] })).toEqual({ words: ["u", "v", "w"] });
    expect(joined(a, undefined)).toEqual({ words: ["w"] });
    expect(joined(a)).toEqual(a);
    expect(joined({ words: ["w"], hold: true }), "only a person lets a lesson block").toEqual({
      words: ["w"],
    });
  });

  it("ends with the later of a day and a minute, and begins with the earlier", () => {
    const days: When = { words: ["w"], from: "2026-12-01", until: "2026-12-31" };
    const minutes: When = { words: ["w"], from: "2026-12-01 10:00", until: "2026-12-31 10:00" };
    expect(joined(days, minutes)).toEqual(days);
    expect(joined(minutes, days)).toEqual(days);
  });

  it("needs all values only where each of them needs the same ones", () => {
    const a: When = { commands: ["a"], errors: ["e"], all: true };
    expect(joined(a, { errors: ["e"], commands: ["a"], all: true })).toEqual(a);
    expect(joined(a, { commands: ["b"], errors: ["f"], all: true })).not.toHaveProperty("all");
    expect(joined(a, { commands: ["b"], all: true })).not.toHaveProperty("all");
    expect(joined(a, { commands: ["b"], errors: ["f"] })).not.toHaveProperty("all");
  });
});

describe("when is too large", () => {
  it.each<[When, string | undefined]>([
    [{ commands: Array(8).fill("a"), not: { paths: Array(8).fill("b") } }, undefined],
    [{ errors: Array(9).fill("a") }, "9 errors; at most 8 are kept"],
    [{ not: { branches: Array(9).fill("a") } }, "9 not branches; at most 8 are kept"],
    [{ errors: ["가".repeat(170)] }, undefined],
    [
      { errors: ["가".repeat(100)], not: { words: ["가".repeat(71)] } },
      "513 bytes in all; at most 512 are kept",
    ],
  ])("%#: %s", (when, why) => {
    expect(whenTooLarge(when)).toBe(why);
  });
});
