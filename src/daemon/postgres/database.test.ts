import { expect, it } from "vitest";
import { SentinelError } from "../../ground/core/errors.ts";
import { openPool } from "./database.ts";
import { databaseError } from "./database-error.ts";

it.each(["mysql://ann:pass-of-ann@host/shop", "postgres://ann:pass-of-ann@[host/shop", "shop", ""])(
  "an address that is not one of PostgreSQL is refused, and not quoted: %s",
  (url) => {
    const open = () => openPool(url, { max: 1 });
    expect(open).toThrow(expect.objectContaining({ code: "bad_argument" }));
    expect(open).toThrow(SentinelError);
    expect(open).not.toThrow(/pass-of-ann/);
  },
);

it.each([
  ["Connection terminated due to connection timeout", /does not answer/],
  ["Query read timeout", /does not answer/],
  ["Connection terminated unexpectedly", /cannot be reached/],
  ["timeout exceeded when trying to connect", /no connection .* was free/],
])("an error of the driver without a code is known by its message: %s", (message, what) => {
  const error = databaseError(new Error(message), "read_failed", "Reading");
  expect(error).toMatchObject({
    code: "database_unreachable",
    message: expect.stringMatching(what),
  });
});
