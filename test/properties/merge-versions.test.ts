/** Importing is a merge: it must know what a union of the two files knows (docs/design/lessons.md, "Reading is a fold"). */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseFile } from "../../src/lessons/format/file-lines.ts";
import { type Version, writeVersion } from "../../src/lessons/format/lesson.ts";
import { mergeVersions } from "../../src/lessons/merge/merge-versions.ts";
import type { Snapshot } from "../../src/lessons/merge/versions.ts";
import { arbitraryFile } from "./arbitrary-files.ts";
import { fold, united } from "./readings.ts";

const RUNS = { numRuns: 200 };

describe("uniting", () => {
  it("reads like the union of both files", () => {
    fc.assert(
      fc.property(arbitraryFile, arbitraryFile, (x, y) => {
        const union = fold(united(x, y));
        const ours = fold(x);
        mergeVersions(ours, versionsOf(y));
        expect(shown(ours)).toEqual(shown(union));
      }),
      RUNS,
    );
  });

  it("takes nothing the second time but what stands for other lessons", () => {
    fc.assert(
      fc.property(arbitraryFile, arbitraryFile, (x, y) => {
        const ours = fold(x);
        mergeVersions(ours, versionsOf(y));
        const again = mergeVersions(ours, versionsOf(y));
        expect(again).toMatchObject({ added: 0, updated: 0, hidden: 0, taken: 0 });
      }),
      RUNS,
    );
  });
});

function versionsOf(bytes: Buffer): Version[] {
  return parseFile(bytes).versions.map(({ version }) => version);
}

/** What shows, with the sources too. */
function shown(snapshot: Snapshot): string[] {
  return snapshot
    .lessons()
    .map(({ version }) => writeVersion(version))
    .sort();
}
