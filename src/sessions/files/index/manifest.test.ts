import { readFileSync, writeFileSync } from "node:fs";
import { crc32 } from "node:zlib";
import { expect, it } from "vitest";
import { testFolder } from "../../../../test/support/in-test.ts";
import { type Manifest, manifestPath, readManifest, VERSION, writeManifest } from "./manifest.ts";
import { writeSegment } from "./write-segment.ts";

const NONE: Manifest = { segments: [], suspects: [] };
const { layout } = writeSegment([], [], []);
const pieces = [{ file: "2026-11-21.0", from: 0, to: 10, sum: 1 }];
const WHOLE: Manifest = {
  segments: [{ name: "ab.segment", layout, pieces }],
  suspects: ["01ARYZ6S410123456789ABCDEF"],
};

function readAs(bytes: Buffer | string, folder = testFolder()): Manifest {
  writeFileSync(manifestPath(folder), bytes);
  return readManifest(folder);
}

function written(): Buffer {
  const folder = testFolder();
  writeManifest(folder, WHOLE);
  return readFileSync(manifestPath(folder));
}

it("a manifest is read as it was written", () => {
  expect(readAs(written())).toEqual(WHOLE);
});

it("a manifest that was cut short anywhere names no segment", () => {
  const [bytes, folder] = [written(), testFolder()];
  // Without the last line feed it is whole.
  for (let length = 0; length < bytes.length - 1; length++)
    expect(readAs(bytes.subarray(0, length), folder)).toEqual(NONE);
});

it("a manifest with a wrong bit in any byte names no segment", () => {
  const [bytes, folder] = [written(), testFolder()];
  for (let at = 0; at < bytes.length - 1; at++) {
    const damaged = Buffer.from(bytes);
    damaged[at] = (bytes[at] as number) ^ (1 << (at % 8));
    expect(readAs(damaged, folder)).toEqual(NONE);
  }
});

it.each([
  "",
  "0",
  "null",
  "[]",
  '"text"',
  "{",
  `{"version":${VERSION}}`,
  `{"version":${VERSION},"segments":{}}`,
])("a manifest that says %s names no segment, whatever its sum is", (body) => {
  for (const sum of ["", "0", ` ${crc32(body)}`, String(crc32(body))])
    expect(readAs(`${body}\n${sum}\n`)).toEqual(NONE);
});

it("what another version wrote names no segment", () => {
  const body = JSON.stringify({ ...WHOLE, version: VERSION + 1 });
  expect(readAs(`${body}\n${crc32(body)}\n`)).toEqual(NONE);
});
