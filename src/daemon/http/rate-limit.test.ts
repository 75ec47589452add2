import { expect, it } from "vitest";
import { RateLimit } from "./rate-limit.ts";

/** How many calls of a number that come at once are taken. */
function taken(limit: RateLimit, caller: string, calls: number, now: number): number {
  let count = 0;
  for (let call = 0; call < calls; call++) {
    try {
      limit.take(caller, now);
      count++;
    } catch (error) {
      expect(error).toMatchObject({ code: "too_many_calls" });
    }
  }
  return count;
}

it("a caller may make some calls at once and then so many a second; others do not wait for it", () => {
  const limit = new RateLimit();
  expect(taken(limit, "busy", 2_000, 0)).toBe(600);
  expect(taken(limit, "quiet", 10, 0)).toBe(10);
  expect(taken(limit, "busy", 2_000, 500)).toBe(150);
  expect(taken(limit, "busy", 2_000, 1_500)).toBe(300);
  expect(taken(limit, "busy", 2_000, 3_600_000)).toBe(600);
});

it("calls that are refused do not make the wait longer", () => {
  const limit = new RateLimit();
  taken(limit, "busy", 600, 0);
  for (let ms = 0; ms <= 100; ms += 2) taken(limit, "busy", 1, ms);
  expect(taken(limit, "busy", 10, 110)).toBeGreaterThan(0);
});
