import { renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { testFolder } from "../../../../test/support/in-test.ts";
import { makePrivateFolder } from "../../../ground/files/private-file.ts";
import { DayFiles } from "../day-files.ts";
import { findGaps, listFiles, readGaps, usable } from "./coverage.ts";

const LINE = '{"id":"one"}\n';

function daysWithOne() {
  const days = new DayFiles(testFolder());
  const path = days.pathFor("2026-11-21", 0);
  makePrivateFolder(join(path, ".."));
  writeFileSync(path, LINE);
  const purge = () => renameSync(path, days.pathFor("2026-11-21", 1));
  return { days, purge };
}

it("lists the files again when a purge renames one meanwhile", async () => {
  const { days, purge } = daysWithOne();
  const stale = days.list();
  purge();
  const listings = [stale, days.list()];
  const files = await listFiles({ list: () => listings.shift() ?? [] });
  expect([...files.values()].map(({ path }) => path)).toEqual([days.pathFor("2026-11-21", 1)]);
});

it("names the bytes of a file that was removed before it was read", async () => {
  const { days, purge } = daysWithOne();
  const gaps = findGaps(await listFiles(days), []);
  purge();
  expect(readGaps(gaps, 1_000)).toEqual({ lines: [], left: gaps });
  expect(readGaps(findGaps(await listFiles(days), []), 1_000).left).toEqual([]);
});

it("counts segments from the beginning of a file on, each from the end of the one before it", async () => {
  const { days } = daysWithOne();
  const files = await listFiles(days);
  const [file] = files.values();
  const indexed = (from: number, to: number) => ({
    file: file?.key ?? "",
    from,
    to,
    textBytes: to - from,
  });
  const segments = [indexed(6, 8), indexed(0, 3), indexed(0, 2), indexed(3, 5), indexed(3, 99)];
  const counting = usable(segments, files);
  expect(counting).toEqual([indexed(0, 3), indexed(3, 5)]);
  const gap = { file, from: 5, to: LINE.length };
  expect(findGaps(files, counting)).toEqual([{ ...gap, start: 5 }]);
  expect(findGaps(files, counting, 3)).toEqual([{ ...gap, start: 3 }]);
});

it("knows a file apart from one that had its name before", async () => {
  const { days } = daysWithOne();
  const path = days.pathFor("2026-11-21", 0);
  const keys = new Set<string>();
  for (const ulid of ["01ARYZ6S410123456789ABCDEF", "01ARYZ6S41ZZZZZZZZZZABCDEF"]) {
    rmSync(path);
    writeFileSync(path, `{"id":"evt_${ulid}","ts":"2026-11-21T12:00:00.000Z"}\n`);
    for (const key of (await listFiles(days)).keys()) keys.add(key);
  }
  expect(keys.size).toBe(2);
});

it("reads whole lines from the beginning of a gap, up to a limit, and leaves a torn one", async () => {
  const { days } = daysWithOne();
  const path = days.pathFor("2026-11-21", 0);
  writeFileSync(path, `${LINE.repeat(3)}{"id":"to`);
  const gaps = findGaps(await listFiles(days), []);
  const first = readGaps(gaps, 2 * LINE.length + 3);
  expect(first.lines.map(({ from, to }) => [from, to])).toEqual([[0, 2 * LINE.length]]);
  expect(first.left.map(({ from }) => from)).toEqual([2 * LINE.length]);
  const rest = readGaps(first.left, 1_000);
  expect(rest.lines.map(({ bytes }) => bytes.toString())).toEqual([LINE]);
  expect(rest.left).toEqual([]);
});
