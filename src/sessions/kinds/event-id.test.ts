import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import {
  eventId,
  identityFrom,
  identityOf,
  readEventId,
  readShortEventId,
  shortEventId,
} from "./event.ts";

/** The example of the ULID specification. */
const EXAMPLE_TIME = 1_469_918_176_385;

it("is a ULID: its time in ten characters, then the identity", () => {
  expect(eventId(EXAMPLE_TIME, "0123456789ABCDEF")).toBe("evt_01ARYZ6S410123456789ABCDEF");
});

it("sorts like time, and holds the earliest and the latest time there is", () => {
  const times = [-5, 0, 1, 31, 32, EXAMPLE_TIME, EXAMPLE_TIME + 1, 2 ** 48 - 1, 2 ** 60];
  const ids = times.map((time) => eventId(time, "0000000000000000"));
  expect([...ids].sort()).toEqual(ids);
  expect(ids[0]).toBe(ids[1]);
  expect(ids.at(-1)).toBe("evt_7ZZZZZZZZZ0000000000000000");
});

it("has the first 80 bits of SHA-256 of an origin for its identity", () => {
  const bits = createHash("sha256").update("claude-code/line").digest("hex").slice(0, 20);
  const identity = identityFrom("claude-code/line");
  const value = [...identity].reduce(
    (sum, letter) => sum * 32n + BigInt(DIGITS.indexOf(letter)),
    0n,
  );
  expect(value.toString(16).padStart(20, "0")).toBe(bits);
  expect(identityFrom("claude-code/another line")).not.toBe(identity);
  expect(identityOf(new Uint8Array(10).fill(255))).toBe("ZZZZZZZZZZZZZZZZ");
});

it("is read back, and nothing else is read", () => {
  const identity = identityFrom("origin");
  expect(readEventId(eventId(EXAMPLE_TIME, identity))).toEqual({ time: EXAMPLE_TIME, identity });
  for (const other of [
    "",
    "evt_",
    `chk_${identity}`,
    eventId(1, identity).toLowerCase(),
    `${eventId(1, identity)}0`,
  ]) {
    expect(readEventId(other)).toBeUndefined();
  }
});

it("has a short form that names the end of its identity, in either case", () => {
  const short = shortEventId(eventId(EXAMPLE_TIME, identityFrom("origin")));
  expect(short).toMatch(/^evt_[0-9A-Z]{8}$/);
  for (const form of [short, `evt_${short.slice(4).toLowerCase()}`]) {
    expect(identityFrom("origin").endsWith(readShortEventId(form) ?? "?")).toBe(true);
  }
  for (const other of ["", "evt_", short.slice(0, -1), `${short}0`, short.slice(4)]) {
    expect(readShortEventId(other)).toBeUndefined();
  }
});

const DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
