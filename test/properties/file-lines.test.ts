/** The file as lines, over any bytes: nothing throws, nothing that is not understood is lost, nothing is rewritten. */

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseFile, renderFile } from "../../src/lessons/format/file-lines.ts";
import { fold } from "../../src/lessons/merge/fold.ts";
import { prune } from "../../src/lessons/merge/prune.ts";
import { runs } from "../support/form.ts";
import { arbitraryBytes, arbitraryFile, NOON } from "./arbitrary-files.ts";

const RUNS = runs(200);

describe("any bytes", () => {
  it("can be parsed, folded, pruned and rendered", () => {
    fc.assert(
      fc.property(arbitraryBytes, (bytes) => {
        const { versions, unrecognised } = parseFile(bytes);
        expect(
          renderFile(prune(fold(versions), NOON).snapshot.lines(), unrecognised),
        ).toBeInstanceOf(Buffer);
      }),
      RUNS,
    );
  });

  it("keep every line that is no lesson, byte for byte and in order", () => {
    fc.assert(
      fc.property(arbitraryBytes, (bytes) => {
        const { versions, unrecognised } = parseFile(bytes);
        const pruned = prune(fold(versions), NOON).snapshot;
        const again = parseFile(renderFile(pruned.lines(), unrecognised));
        expect(again.unrecognised.map(({ raw }) => raw)).toEqual(
          unrecognised.map(({ raw }) => raw),
        );
      }),
      RUNS,
    );
  });

  it("keep every line: each is a record, unrecognised, or a counted blemish", () => {
    fc.assert(
      fc.property(arbitraryBytes, (bytes) => {
        const { versions, unrecognised, repairs } = parseFile(bytes);
        const lines =
          bytes.toString("latin1").split("\n").length - (repairs.missingLastNewline ? 0 : 1);
        expect(
          versions.length +
            unrecognised.length +
            repairs.blankLines +
            repairs.conflictMarkers +
            repairs.repeatedLines,
        ).toBe(lines);
      }),
      RUNS,
    );
  });
});

it("a reading that knows an earlier one reads the same as one that knows nothing", () => {
  const mixed = fc.tuple(arbitraryFile, arbitraryBytes, fc.nat(400)).map(([file, bytes, at]) => {
    return {
      before: file,
      after: Buffer.concat([file.subarray(0, at), bytes, file.subarray(Math.floor(at / 2))]),
    };
  });
  fc.assert(
    fc.property(
      fc.oneof(mixed, fc.record({ before: arbitraryFile, after: arbitraryFile })),
      ({ before, after }) => {
        const known = new Map(parseFile(before).versions.map((line) => [line.raw, line]));
        expect(parseFile(after, known)).toEqual(parseFile(after));
      },
    ),
    RUNS,
  );
});

describe("a memory file", () => {
  it("keeps its lessons byte for byte, sorted by id", () => {
    fc.assert(
      fc.property(arbitraryFile, (bytes) => {
        const { versions, unrecognised } = parseFile(bytes);
        const again = parseFile(renderFile(versions, unrecognised));
        expect(again.versions.map(({ raw }) => raw).toSorted()).toEqual(
          versions.map(({ raw }) => raw).toSorted(),
        );
        const ids = again.versions.map(({ version }) => version.id);
        expect(ids).toEqual(ids.toSorted());
      }),
      RUNS,
    );
  });

  it("is rendered the same a second time", () => {
    fc.assert(
      fc.property(arbitraryFile, (bytes) => {
        const once = parseFile(bytes);
        const first = renderFile(once.versions, once.unrecognised);
        const twice = parseFile(first);
        expect(renderFile(twice.versions, twice.unrecognised).equals(first)).toBe(true);
        expect(
          Object.values(twice.repairs).every((count) => count === 0) || first.length === 0,
        ).toBe(true);
      }),
      RUNS,
    );
  });
});
