import { expect, it } from "vitest";
import { RecentCache } from "./recent-cache.ts";

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
