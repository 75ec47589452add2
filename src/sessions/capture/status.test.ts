import { expect, it } from "vitest";
import type { ErrorCode } from "../../ground/core/errors.ts";
import { mayPass } from "./status.ts";

it("a problem of a daemon may pass, unless somebody must act on it", () => {
  const passes = (code: ErrorCode) => mayPass({ code, what: "It failed.", fix: "Call again." });
  const passing: ErrorCode[] = ["daemon_unreachable", "database_unreachable", "too_many_calls"];
  const lasting: ErrorCode[] = [
    "bad_argument",
    "newer_format",
    "not_allowed",
    "not_private",
    "old_format",
    "schema_outdated",
    "unauthorised",
  ];
  expect([...passing, ...lasting].filter(passes)).toEqual(passing);
});
