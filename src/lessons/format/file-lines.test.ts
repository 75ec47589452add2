import { describe, expect, it } from "vitest";
import { logLine } from "../../../test/support/lines.ts";
import { parseFile, toLine, whyUnreadable } from "./file-lines.ts";

const A = logLine("auth", "which login");
const B = logLine("db", "풀 크기");

function parse(...lines: readonly (string | Buffer)[]) {
  return parseFile(Buffer.concat(lines.flatMap((line) => [Buffer.from(line), Buffer.from("\n")])));
}

describe("parseFile", () => {
  it("reads each line as it reads it alone, whatever stands beside it", () => {
    const [bom, broken] = [Buffer.from("\ufeff"), Buffer.from([0x7b, 0xff, 0x7d])];
    const odd: (string | Buffer)[] = [
      A,
      B,
      `${B}\r`,
      Buffer.concat([bom, Buffer.from(B)]),
      "{한글",
      "  ",
      "=======",
      "[1]",
    ];
    for (const lines of [odd, [...odd, broken], [broken, ...odd], [`${B}\u2028`, ...odd]]) {
      const alone = lines.map((line) => parse(line));
      const together = parse(...lines);
      const raws = new Set(alone.flatMap(({ versions }) => versions.map(({ raw }) => raw)));
      expect(new Set(together.versions.map(({ raw }) => raw))).toEqual(raws);
      expect(together.versions.map(({ version }) => version)).toEqual(
        [...together.versions].map(({ raw }) => JSON.parse(Buffer.from(raw, "latin1").toString())),
      );
      expect(together.unrecognised.map(({ raw, reason }) => [raw, reason])).toEqual(
        alone.flatMap(({ unrecognised }) => unrecognised.map(({ raw, reason }) => [raw, reason])),
      );
    }
  });

  it("sees through byte-order marks, carriage returns, blank and repeated lines, and a missing last newline", () => {
    const { versions, ...report } = parseFile(Buffer.from(`\ufeff${A}\r\n\r\n${A}\n  \n${B}`));
    expect(versions).toHaveLength(2);
    expect(report).toEqual({ unrecognised: [], hasConflictMarkers: false });
  });

  it("reads the same lesson however many marks and carriage returns stand around it", () => {
    const { versions } = parseFile(Buffer.from(`\ufeff\ufeff${A}\r\r\n`));
    expect(versions.map(({ raw }) => raw)).toEqual([A]);
  });

  it("says where a line that is no lesson stands and why, and keeps its bytes", () => {
    const broken = Buffer.from([0x7b, 0xff, 0xfe]);
    const { unrecognised } = parse(A, "half a rec", broken, '{"id":"x1","type":"decision"}');
    expect(unrecognised.map(({ number, reason }) => [number, reason])).toEqual([
      [2, "not JSON"],
      [3, "not UTF-8"],
      [4, "unknown type"],
    ]);
    expect(Buffer.from(unrecognised[1]?.raw ?? "", "latin1").equals(broken)).toBe(true);
  });

  it("says that a line holds several lessons where only a line break is missing", () => {
    const text = JSON.stringify({ ...JSON.parse(A), lesson: 'Write }{" as it is' });
    const { unrecognised } = parse(A + B, `${text}${B} ${A}`, `${A}${B.slice(0, -1)}`, "}{");
    expect(unrecognised.map(({ reason }) => reason)).toEqual([
      "several lessons on one line",
      "several lessons on one line",
      "not JSON",
      "not JSON",
    ]);
  });
});

describe("toLine", () => {
  it("makes the line that reading it gives", () => {
    const [line] = parse(B).versions;
    expect(line && toLine(line.version)).toEqual(line);
  });
});

describe("a pointer of Git LFS", () => {
  const pointer = (url: string) => `version ${url}\noid sha256:${"0".repeat(64)}\nsize 1\n`;
  const POINTER = pointer("https://git-lfs.github.com/spec/v1");

  it.each([
    ["alone", POINTER],
    ["after a byte-order mark", `\uFEFF${POINTER}`],
    ["as an earlier release of LFS wrote it", pointer("https://hawser.github.com/spec/v1")],
    ["of the first release, with a lesson", `${A}\n\uFEFF${pointer("http://git-media.io/v/2")}`],
  ])("is recognized %s", (_, text) => {
    expect(whyUnreadable(Buffer.from(text))?.id).toBe("lfs_pointer");
  });

  it("isn't a lesson that mentions a version", () => {
    expect(whyUnreadable(Buffer.from(logLine("ci", "version https://shop.test")))).toBe(undefined);
  });
});
