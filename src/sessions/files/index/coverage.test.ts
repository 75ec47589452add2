import { renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { testFolder } from "../../../../test/support/in-test.ts";
import { makePrivateFolder } from "../../../ground/files/private-file.ts";
import { DayFiles } from "../day-files.ts";
import { findGaps, listFiles, readGaps } from "./coverage.ts";

const LINE = '{"id":"one"}\n';

function daysWithOne() {
  const days = new DayFiles(testFolder());
  const path = days.pathFor("2026-11-21", 0);
  makePrivateFolder(join(path, ".."));
  writeFileSync(path, LINE);
  const purge = () => renameSync(path, days.pathFor("2026-11-21", 1));
  return { days, purge };
}

it("lists the files again when a purge renames one meanwhile", () => {
  const { days, purge } = daysWithOne();
  const stale = days.list();
  purge();
  const listings = [stale, days.list()];
  const files = listFiles({ list: () => listings.shift() ?? [] });
  expect([...files.values()].map(({ path }) => path)).toEqual([days.pathFor("2026-11-21", 1)]);
});

it("names the bytes of a file that was removed before it was read", () => {
  const { days, purge } = daysWithOne();
  const gaps = findGaps(listFiles(days), []);
  purge();
  expect(readGaps(gaps, 1_000)).toEqual({ lines: [], left: gaps });
  expect(readGaps(findGaps(listFiles(days), []), 1_000).left).toEqual([]);
});

it("finds what is between pieces, also when one contains another", () => {
  const { days } = daysWithOne();
  const [file] = listFiles(days).values();
  const piece = (from: number, to: number) => ({ file: file?.key ?? "", from, to });
  const ranges = findGaps(listFiles(days), [piece(2, 8), piece(4, 6), piece(10, 11)]);
  expect(ranges.map(({ from, to }) => [from, to])).toEqual([
    [11, LINE.length],
    [8, 10],
    [0, 2],
  ]);
});

it("knows a file apart from one that had its name before", () => {
  const { days } = daysWithOne();
  const path = days.pathFor("2026-11-21", 0);
  const keys = ["01ARYZ6S410123456789ABCDEF", "01ARYZ6S41ZZZZZZZZZZABCDEF"].map((ulid) => {
    rmSync(path);
    writeFileSync(path, `{"id":"evt_${ulid}","ts":"2026-11-21T12:00:00.000Z"}\n`);
    return [...listFiles(days).keys()][0];
  });
  expect(new Set(keys).size).toBe(2);
});

it("reads whole lines from the beginning of a gap, up to a limit, and leaves a torn one", () => {
  const { days } = daysWithOne();
  const path = days.pathFor("2026-11-21", 0);
  writeFileSync(path, `${LINE.repeat(3)}{"id":"to`);
  const gaps = findGaps(listFiles(days), []);
  const first = readGaps(gaps, 2 * LINE.length + 3);
  expect(first.lines.map(({ piece: { from, to } }) => [from, to])).toEqual([[0, 2 * LINE.length]]);
  expect(first.left.map(({ from }) => from)).toEqual([2 * LINE.length]);
  const rest = readGaps(first.left, 1_000);
  expect(rest.lines.map(({ bytes }) => bytes.toString())).toEqual([LINE]);
  expect(rest.left).toEqual([]);
});
