import { expect, it } from "vitest";
import { isUlid, ulid } from "./ulid.ts";

const tail = (byte: number) => new Uint8Array(10).fill(byte);

it("writes time and tail as the published example does", () => {
  expect(ulid(1469918176385, tail(0))).toBe("01ARYZ6S410000000000000000");
  expect(ulid(0, tail(255))).toBe("0000000000ZZZZZZZZZZZZZZZZ");
});

it("sorts by time first", () => {
  expect(ulid(1000, tail(255)) < ulid(1001, tail(0))).toBe(true);
});

it.each([
  "",
  "01ARYZ6S41000000000000000",
  "81ARYZ6S410000000000000000",
  "01ARYZ6S41000000000000000I",
  "../../../etc",
])("does not take %j for one", (text) => {
  expect(isUlid(text)).toBe(false);
  expect(isUlid("01ARYZ6S410000000000000000")).toBe(true);
});
