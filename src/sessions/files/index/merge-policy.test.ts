import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Sized, toMerge } from "./merge-policy.ts";

const MOST = 1_000;
const GROWING = new Set(["2026-11"]);
const sized = (month: string, ...all: number[]): Sized[] => all.map((bytes) => ({ month, bytes }));
const bytesOf = (segments: readonly Sized[]) => segments.map(({ bytes }) => bytes);

describe("segments that are to become one", () => {
  it("are those of like size in a month that grows, and small ones of others too", () => {
    expect(bytesOf(toMerge(sized("2026-11", 10, 100), GROWING, MOST))).toEqual([]);
    expect(bytesOf(toMerge(sized("2026-11", 10, 100, 10), GROWING, MOST))).toEqual([10, 10]);
    expect(bytesOf(toMerge(sized("2026-11", 30, 100, 20), GROWING, MOST))).toEqual([20, 30, 100]);
    expect(bytesOf(toMerge(sized("2026-10", 15, 100), GROWING, MOST))).toEqual([15, 100]);
    expect(
      bytesOf(toMerge([...sized("2026-10", 50), ...sized("2026-09", 50)], GROWING, MOST)),
    ).toEqual([]);
    expect(bytesOf(toMerge(sized("2026-10", 600, 600), GROWING, MOST))).toEqual([]);
  });

  it("leave few, whatever comes, and come to an end", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 400 }), { maxLength: 60 }), (sizes) => {
        let segments: readonly Sized[] = [];
        for (const bytes of sizes) {
          segments = [...segments, { month: "2026-11", bytes }];
          for (;;) {
            const group = toMerge(segments, GROWING, MOST);
            if (group.length === 0) break;
            expect(group.length).toBeGreaterThan(1);
            const bytes = group.reduce((sum, segment) => sum + segment.bytes, 0);
            expect(bytes).toBeLessThanOrEqual(MOST);
            segments = [
              ...segments.filter((segment) => !group.includes(segment)),
              { month: "2026-11", bytes },
            ];
          }
        }
        // Two that may not become one have more than half of the most together, or the larger is twice the smaller.
        const all = sizes.reduce((sum, bytes) => sum + bytes, 0);
        expect(segments.length).toBeLessThanOrEqual(2 * (all / MOST) + Math.log2(MOST) + 2);
      }),
    );
  });
});
