import { describe, expect, it } from "vitest";
import { at, ledgerOf, logId, logLine, principleLine } from "../../../test/support/lines.ts";
import { findById, References, resolve } from "./references.ts";
import type { LessonLine } from "../merge/versions.ts";

const ID = logId("auth", "which login");
const ledger = ledgerOf(logLine("auth", "which login"), logLine("db", "pool"));
const line = ledger.shown(ID)[0] as LessonLine;
const reference = new References(ledger).full(line);

describe("a full reference", () => {
  it("is 8 digits of the id and 4 of the line", () =>
    expect(reference).toMatch(new RegExp(`^${ID.slice(0, 8)}@[0-9a-f]{4}$`)));

  it("finds its record, however it is cased or padded", () => {
    expect(resolve(ledger, ` ${reference.toUpperCase()} `)).toEqual({ found: line });
  });

  it("is stale after any change of the line", () => {
    const changed = ledgerOf(logLine("auth", "which login", 10));
    expect(resolve(changed, reference)).toMatchObject({ missing: "changed" });
  });

  it("says retired for a record that is covered, and unknown for none", () => {
    const covered = ledgerOf(logLine("auth", "which login"), principleLine("auth", "p", { [ID]: at(9) }));
    expect(resolve(covered, reference)).toEqual({ missing: "retired" });
    expect(resolve(ledger, "00000000@0000")).toEqual({ missing: "unknown" });
  });

  it("tells two records of one id apart by more digits of their lines", () => {
    const twins = ledgerOf(logLine("auth", "login x"), logLine("authl", "ogin x"));
    for (const twin of twins.lessons()) {
      const longer = new References(twins).full(twin);
      expect(longer).toMatch(/@[0-9a-f]{16}$/);
      expect(resolve(twins, longer)).toEqual({ found: twin });
    }
  });

  it("is what a bare id is refused in favour of", () => {
    expect(() => resolve(ledger, ID)).toThrow(
      expect.objectContaining({ code: "bad_reference", fix: expect.stringContaining(reference) }),
    );
  });
});

describe("findById", () => {
  it("reads a whole id, a prefix of 6, or a reference", () => {
    for (const name of [ID, ID.slice(0, 6), reference]) expect(findById(ledger, name)).toEqual([line]);
  });

  it("says why there is none", () => {
    expect(findById(ledger, ID.slice(0, 3))).toBe("too short");
    expect(findById(ledger, "ffffff")).toBe("unknown");
    const alike = ledgerOf(
      '{"id":"abcdef01","type":"log","topic":"t","lesson":"l"}',
      '{"id":"abcdef02","type":"log","topic":"t","lesson":"m"}',
    );
    expect(findById(alike, "abcdef")).toBe("ambiguous");
  });
});
