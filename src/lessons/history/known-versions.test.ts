import { describe, expect, it } from "vitest";
import { at, logId, logLine, principleLine, snapshotOf } from "../../../test/support/lines.ts";
import { parseFile } from "../format/file-lines.ts";
import type { Version } from "../format/lesson.ts";
import { returnedSources } from "./known-versions.ts";

const OLD = logLine("db", "pool", 9);
const ID = logId("db", "pool");
const COVERING = principleLine("db", "Pools: read the guide", { [ID]: at(9) });
const PRUNED = principleLine("db", "Pools: read the guide", {}, 12);
const EDITED = logLine("db", "pool", 9).replace('"meta":{', `"meta":{"updated":"${at(11)}",`);

const linesOf = (...lines: readonly string[]) =>
  parseFile(Buffer.from(`${lines.join("\n")}\n`)).versions;
const idOf = (line: string): string => (JSON.parse(line) as Version).id;

describe("returnedSources", () => {
  it("finds a lesson that shows beside the principle that once covered it", () => {
    expect(returnedSources(snapshotOf(PRUNED, OLD), linesOf(COVERING, PRUNED, OLD))).toEqual([
      { principle: idOf(PRUNED), sources: [ID] },
    ]);
  });

  it("finds a source of a principle that was merged into another one", () => {
    const wider = principleLine("db", "All of it", { [idOf(COVERING)]: at(10) }, 13);
    const merged = principleLine("db", "All of it", {}, 14);
    const known = linesOf(COVERING, wider, merged, OLD);
    expect(returnedSources(snapshotOf(merged, OLD), known)).toEqual([
      { principle: idOf(merged), sources: [ID] },
    ]);
  });

  it.each([
    ["is still covered", [COVERING, OLD]],
    ["was edited or restored after the principle", [PRUNED, EDITED]],
    ["doesn't show", [PRUNED]],
    ["shows without the principle", [OLD]],
  ])("finds no lesson that %s", (_, lines) => {
    expect(returnedSources(snapshotOf(...lines), linesOf(COVERING, PRUNED, OLD, EDITED))).toEqual(
      [],
    );
  });
});
