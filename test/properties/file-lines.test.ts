/** The file as lines, over any bytes: nothing throws, nothing that is not understood is lost, nothing is rewritten. */

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fileLines, parseFile, renderFile } from "../../src/lessons/format/file-lines.ts";
import { prune } from "../../src/lessons/merge/prune.ts";
import { fold } from "../../src/lessons/merge/versions.ts";
import { arbitraryBytes, arbitraryFile, NOON } from "./arbitrary-files.ts";

const RUNS = { numRuns: 200 };

describe("any bytes", () => {
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

  it("keep every line: each is a record, unrecognised, blank, a marker, or a repetition", () => {
    fc.assert(
      fc.property(arbitraryBytes, (bytes) => {
        const { versions, unrecognised } = parseFile(bytes);
        const texts = fileLines(bytes).filter(({ kind }) => kind === "text");
        const raws = texts.map(({ raw }) => raw);
        const others = unrecognised.map(({ raw }) => raw);
        const lessons = versions.map(({ raw }) => raw);
        expect([...lessons, ...others].toSorted()).toEqual(
          [...new Set(raws.filter((raw) => !others.includes(raw))), ...others].toSorted(),
        );
        expect(others).toEqual(raws.filter((raw) => others.includes(raw)));
      }),
      RUNS,
    );
  });
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
        const clean =
          fileLines(first).every(({ kind }) => kind === "text") && !first.includes("\r\n");
        expect(clean && twice.versions.length === once.versions.length).toBe(true);
      }),
      RUNS,
    );
  });
});
