/** The file as lines, over any bytes: nothing throws, nothing that is not understood is lost, nothing is rewritten. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseJournal, renderJournal } from "../../src/lessons/format/file-lines.ts";
import { Ledger } from "../../src/lessons/merge/snapshot.ts";
import { settle } from "../../src/lessons/merge/prune.ts";
import { arbitraryBytes, arbitraryFile, NOON } from "./arbitrary-files.ts";

const RUNS = { numRuns: 500 };

describe("any bytes", () => {
  it("can be parsed, folded, settled and rendered", () => {
    fc.assert(
      fc.property(arbitraryBytes, (bytes) => {
        const ledger = Ledger.from(parseJournal(bytes));
        const settled = settle(ledger, NOON).ledger;
        renderJournal(settled.lines(), settled.foreign);
      }),
      RUNS,
    );
  });

  it("keep every line that is no record, byte for byte and in order", () => {
    fc.assert(
      fc.property(arbitraryBytes, (bytes) => {
        const { foreign } = parseJournal(bytes);
        const settled = settle(Ledger.from(parseJournal(bytes)), NOON).ledger;
        const again = parseJournal(renderJournal(settled.lines(), settled.foreign));
        expect(again.foreign.map(({ raw }) => raw)).toEqual(foreign.map(({ raw }) => raw));
      }),
      RUNS,
    );
  });

  it("keep every line: each is a record, foreign, or a counted blemish", () => {
    fc.assert(
      fc.property(arbitraryBytes, (bytes) => {
        const { versions, foreign, mends } = parseJournal(bytes);
        const lines = bytes.toString("latin1").split("\n").length - (mends.missingLastNewline ? 0 : 1);
        expect(versions.length + foreign.length + mends.blankLines + mends.conflictMarkers + mends.repeatedLines).toBe(
          lines,
        );
      }),
      RUNS,
    );
  });
});

it("a reading that knows an earlier one reads the same as one that knows nothing", () => {
  const mixed = fc.tuple(arbitraryFile, arbitraryBytes, fc.nat(400)).map(([file, bytes, at]) => {
    return { before: file, after: Buffer.concat([file.subarray(0, at), bytes, file.subarray(Math.floor(at / 2))]) };
  });
  fc.assert(
    fc.property(fc.oneof(mixed, fc.record({ before: arbitraryFile, after: arbitraryFile })), ({ before, after }) => {
      const known = parseJournal(before);
      const knowing = parseJournal(after, known.versions);
      const anew = parseJournal(after);
      expect(knowing).toEqual(anew);
      const quick = Ledger.from(knowing, Ledger.from(known));
      const thorough = Ledger.from(anew);
      expect(quick.lines()).toEqual(thorough.lines());
      expect(quick.count).toBe(thorough.count);
      for (const [id, versions] of thorough.groups()) {
        expect(quick.versions(id)).toEqual(versions);
        expect(quick.shown(id)).toEqual(thorough.shown(id));
      }
    }),
    RUNS,
  );
});

describe("a memory file", () => {
  it("keeps its records byte for byte, sorted by id", () => {
    fc.assert(
      fc.property(arbitraryFile, (bytes) => {
        const { versions, foreign } = parseJournal(bytes);
        const again = parseJournal(renderJournal(versions, foreign));
        expect(again.versions.map(({ raw }) => raw).toSorted()).toEqual(versions.map(({ raw }) => raw).toSorted());
        const ids = again.versions.map(({ version }) => version.id);
        expect(ids).toEqual(ids.toSorted());
      }),
      RUNS,
    );
  });

  it("is rendered the same a second time", () => {
    fc.assert(
      fc.property(arbitraryFile, (bytes) => {
        const once = parseJournal(bytes);
        const first = renderJournal(once.versions, once.foreign);
        const twice = parseJournal(first);
        expect(renderJournal(twice.versions, twice.foreign).equals(first)).toBe(true);
        expect(Object.values(twice.mends).every((count) => count === 0) || first.length === 0).toBe(true);
      }),
      RUNS,
    );
  });
});
