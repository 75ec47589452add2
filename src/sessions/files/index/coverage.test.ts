import { appendFileSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { testFolder } from "../../../../test/support/in-test.ts";
import { makePrivateFolder } from "../../../ground/files/private-file.ts";
import { Artifacts } from "../artifacts.ts";
import { logFiles } from "../log-files.ts";
import { buildSegment } from "./build-segment.ts";
import { coverage, gapsIn, indexFolder, segmentName } from "./coverage.ts";

const LINE = '{"id":"one"}\n';
const DAY = "2026-11-21";

function logWithOne() {
  const files = logFiles(testFolder());
  const path = files.days.pathFor(DAY, 0);
  makePrivateFolder(join(path, ".."));
  writeFileSync(path, LINE);
  mkdirSync(indexFolder(files), { recursive: true });
  const purge = () => renameSync(path, files.days.pathFor(DAY, 1));
  return { files, path, purge };
}

it("lists the files again when a purge renames one meanwhile", () => {
  const { files, purge } = logWithOne();
  const stale = files.days.list();
  purge();
  const listings = [stale, files.days.list()];
  const days = Object.assign(Object.create(files.days), { list: () => listings.shift() ?? [] });
  const paths = coverage({ folder: files.folder, days }).map(({ path }) => path);
  expect(paths).toEqual([files.days.pathFor(DAY, 1)]);
});

it("counts the segments that cover a file from its beginning without a gap, the longest of each", () => {
  const { files, path } = logWithOne();
  writeFileSync(path, LINE.repeat(10));
  const [file] = coverage(files);
  const write = (from: number, to: number) => {
    const name = segmentName({ file: file?.file ?? "", from, to }, to - from, "0a1b");
    writeFileSync(join(indexFolder(files), name), "");
  };
  const found = () => {
    const covered = coverage(files);
    const ranges = covered[0]?.segments.map(({ from, to }) => [from, to]);
    return { ranges, gaps: gapsIn(covered).map(({ from, to }) => [from, to]) };
  };
  expect(found()).toEqual({ ranges: [], gaps: [[0, 130]] });
  write(39, 52);
  write(52, 1_000);
  expect(found()).toEqual({ ranges: [], gaps: [[0, 130]] });
  write(0, 13);
  write(0, 26);
  write(26, 39);
  expect(found()).toEqual({
    ranges: [
      [0, 26],
      [26, 39],
      [39, 52],
    ],
    gaps: [[52, 130]],
  });
  write(52, 130);
  expect(found().gaps).toEqual([]);
});

it("knows a file apart from one that had its name before", () => {
  const { files, path } = logWithOne();
  const keys = ["01ARYZ6S410123456789ABCDEF", "01ARYZ6S41ZZZZZZZZZZABCDEF"].map((ulid) => {
    rmSync(path);
    writeFileSync(path, `{"id":"evt_${ulid}","ts":"2026-11-21T12:00:00.000Z"}\n`);
    const [before] = coverage(files);
    appendFileSync(path, LINE);
    expect(coverage(files)[0]?.file).toBe(before?.file);
    return before?.file;
  });
  expect(new Set(keys).size).toBe(2);
});

it("indexes whole lines from the beginning of a gap, up to a limit, and leaves a torn one", () => {
  const { files, path } = logWithOne();
  writeFileSync(path, `${LINE.repeat(3)}\n{"id":"to`);
  const indexing = { artifacts: new Artifacts(testFolder()), isPurged: () => false };
  const build = (mostBytes: number) => {
    const [gap] = gapsIn(coverage(files));
    if (gap === undefined) throw new Error("no gap");
    const { segment, left } = buildSegment(gap, gap.from, { ...indexing, mostBytes });
    return [segment.range.to, left?.from];
  };
  expect(build(2 * LINE.length + 3)).toEqual([2 * LINE.length, 2 * LINE.length]);
  expect(build(1)).toEqual([LINE.length, LINE.length]);
  expect(build(1_000)).toEqual([3 * LINE.length + 1, undefined]);
});
