import { expect, it } from "vitest";
import { type Budget, pack } from "./budget.ts";

const bytes = (count: number): Budget => ({ characters: 1e6, bytes: count, tokens: 1e6 });
const itself = (item: string) => item;

it("takes items in order as long as they fit, each with the line break after it", () => {
  expect(pack(["one", "two", "three"], bytes(8), itself)).toEqual({
    texts: ["one", "two"],
    taken: ["one", "two"],
    left: ["three"],
  });
});

it("numbers those it takes, and is not stopped by one that is too large", () => {
  const { texts, left } = pack(
    ["one", "x".repeat(99), "two"],
    bytes(20),
    (item, place) => `#${place} ${item}`,
  );
  expect(texts).toEqual(["#1 one", "#2 two"]);
  expect(left).toHaveLength(1);
});

it("gives up after five in a row that do not fit, and drops none", () => {
  let asked = 0;
  const items = [...Array.from({ length: 5 }, () => "x".repeat(99)), "one", "two"];
  const packed = pack(items, bytes(20), (item) => {
    asked++;
    return item;
  });
  expect([packed.texts, packed.left, asked]).toEqual([[], items, 5]);
});
