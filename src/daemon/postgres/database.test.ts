import { expect, it } from "vitest";
import { SentinelError } from "../../ground/core/errors.ts";
import { openPool } from "./database.ts";

it.each(["mysql://ann:pass-of-ann@host/shop", "postgres://ann:pass-of-ann@[host/shop", "shop", ""])(
  "an address that is not one of PostgreSQL is refused, and not quoted: %s",
  (url) => {
    const open = () => openPool(url, { max: 1 });
    expect(open).toThrow(expect.objectContaining({ code: "bad_argument" }));
    expect(open).toThrow(SentinelError);
    expect(open).not.toThrow(/pass-of-ann/);
  },
);
