import { expect, it } from "vitest";
import { instantOfAge } from "./time.ts";

const NOW = Date.parse("2026-11-20T12:00:00Z");

it.each([
  ["30d", "2026-10-21T12:00:00.000Z"],
  ["12h", "2026-11-20T00:00:00.000Z"],
  [" 2w ", "2026-11-06T12:00:00.000Z"],
  ["2026-11-01", "2026-11-01T00:00:00.000Z"],
  ["2026-11-01T10:00:00+09:00", "2026-11-01T01:00:00.000Z"],
])("%s is %s", (text, expected) => {
  expect(new Date(instantOfAge(text, NOW)).toISOString()).toBe(expected);
});

it.each(["", "d", "30", "-3d", "yesterday", "2026-13-40", "2026-02-30"])("refuses %j", (text) => {
  expect(() => instantOfAge(text, NOW)).toThrow("neither an age nor a date");
});
