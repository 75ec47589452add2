import { expect, it } from "vitest";
import { memoizeByObject } from "./memoize-by-object.ts";

it("answers once for each object, also where the answer is nothing", () => {
  const asked: object[] = [];
  const nothing = memoizeByObject((of: object) => {
    asked.push(of);
    return undefined;
  });
  const [a, b] = [{}, {}];
  for (const of of [a, b, a]) expect(nothing(of)).toBeUndefined();
  expect(asked).toEqual([a, b]);
});
