import { expect, it } from "vitest";
import { memoizeByObject, RecentCache } from "./memoize.ts";

it("remembers what comes again and again, and as much else as it was told", () => {
  const lately = new RecentCache<number>(100);
  lately.set("often", 0);
  for (let at = 1; at <= 1_000; at++) {
    lately.set(String(at), at);
    expect(lately.get("often")).toBe(0);
  }
  const known = Array.from({ length: 1_000 }, (_, at) => lately.get(String(at + 1))).filter(
    (one) => one !== undefined,
  );
  expect(known.length).toBeGreaterThanOrEqual(99);
  expect(known.length).toBeLessThanOrEqual(200);
});

it("answers once for each object, also where the answer is nothing", () => {
  const asked: object[] = [];
  const nothing = memoizeByObject((of: object) => {
    asked.push(of);
    return undefined;
  });
  const [a, b] = [{}, {}];
  for (const of of [a, b, a]) {
    expect(nothing(of)).toBeUndefined();
  }
  expect(asked).toEqual([a, b]);
});
