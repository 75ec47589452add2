import { describe, expect, it } from "vitest";
import { mustHavePatterns } from "./error-pattern.ts";
import { triggerOf, workOn } from "./matches-when.ts";

describe("an error between slashes", () => {
  it("is met where RE2 finds it, whatever the case and the line ends", () => {
    const work = workOn({
      error: "Error: connect ECONNREFUSED\n127.0.0.1:5432",
      now: "2026-11-25",
    });
    expect(triggerOf({ errors: ["/econnrefused .*:5432$/"] }, work)).toBe("error");
    expect(triggerOf({ errors: ["/econnrefused .*:5433/"] }, work)).toBeUndefined();
    expect(triggerOf({ errors: ["/(/"] }, work)).toBeUndefined();
  });

  it.each([
    ["/(/", "missing closing"],
    ["/a*/", "it matches the empty text"],
    ["/(?:abcdefghij){100}/", "it is too large"],
    ["/(a)\\1/", "invalid escape sequence"],
    ["(", undefined],
    ["/ECONN.*/", undefined],
  ])("%s is wrong: %s", (error, why) => {
    const saying = () => mustHavePatterns({ errors: [error] });
    if (why === undefined) {
      expect(saying()).toBeUndefined();
    } else {
      expect(saying).toThrow(why);
    }
  });
});
