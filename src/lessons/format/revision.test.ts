import { describe, expect, it } from "vitest";
import { instantOf, nextRevision, OLDEST, revisionOf } from "./lesson.ts";

describe("instantOf", () => {
  it.each([
    ["2026-06-01T12:00:00.000Z", Date.UTC(2026, 5, 1, 12)],
    ["2026-06-01T12:00:00+00:00", Date.UTC(2026, 5, 1, 12)],
    ["2026-06-01T21:00:00+09:00", Date.UTC(2026, 5, 1, 12)],
    ["2026-06-01 12:00", Date.UTC(2026, 5, 1, 12)],
  ])("reads %s", (text, instant) => expect(instantOf(text)).toBe(instant));

  it.each([
    "",
    "yesterday",
    "2026-13-01T00:00:00Z",
    "12:00",
    "2026-06-01",
    "+275760-09-13T00:00:00Z",
  ])("takes %j for the oldest", (text) => expect(instantOf(text)).toBe(OLDEST));
});

describe("nextRevision", () => {
  it("is now when nothing later was seen", () => {
    expect(nextRevision(Date.UTC(2026, 0, 1), [OLDEST, Date.UTC(2025, 0, 1)])).toBe(
      "2026-01-01T00:00:00.000Z",
    );
  });

  it("is 1 ms past the latest that was seen, so that a slow clock hides nothing", () => {
    const ahead = Date.UTC(2027, 0, 1);
    expect(nextRevision(Date.UTC(2026, 0, 1), [ahead, 0])).toBe("2027-01-01T00:00:00.001Z");
  });
});

describe("revisionOf", () => {
  it("is the last edit, or the first save", () => {
    expect(revisionOf({ created: "a" })).toBe("a");
    expect(revisionOf({ created: "a", updated: "b" })).toBe("b");
  });
});
