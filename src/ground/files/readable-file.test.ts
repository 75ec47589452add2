import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { testFolder } from "../../../test/support/in-test.ts";
import { lineAt, openReadable, type WholeLine, wholeLines } from "./readable-file.ts";

/** More than one reading of the file takes. */
const LONG = "x".repeat(300_000);

function opened(text: string | Buffer) {
  const path = join(testFolder(), "lines");
  writeFileSync(path, text);
  const file = openReadable(path);
  onTestFinished(() => file.close());
  return file;
}

function linesFrom(text: string | Buffer, { offset = 0, mostBytes = 1_000_000 } = {}): WholeLine[] {
  return [...wholeLines(opened(text), offset, mostBytes)];
}

it("gives each whole line with its place, and not a last one without an end", () => {
  expect(linesFrom("one\n\n두 줄\nhalf")).toEqual([
    { start: 0, text: "one", isUtf8: true, end: 4 },
    { start: 5, text: "두 줄", isUtf8: true, end: 13 },
  ]);
});

it("gives a last line without an end where it is a whole object, and what follows on it later as another", () => {
  expect(linesFrom('one\n{"a":"{}"}')).toMatchObject([
    { text: "one" },
    { start: 4, text: '{"a":"{}"}', end: 14 },
  ]);
  for (const half of ['{"a":1', '{"a":{}', "12", '"text"', "[1]"]) {
    expect(linesFrom(`one\n${half}`)).toHaveLength(1);
  }
  expect(linesFrom('{"a":1}\r\n{"b":2}\n', { offset: 7 })).toMatchObject([{ text: '{"b":2}' }]);
  expect(linesFrom('{"a":1}more\n', { offset: 7 })).toEqual([
    { start: 7, text: "more", isUtf8: true, end: 12 },
  ]);
  expect(lineAt(opened('one\n{"a":1}'), 4, 1_000)).toBe('{"a":1}');
});

it("says which line is not UTF-8", () => {
  const lines = linesFrom(
    Buffer.concat([Buffer.from("one "), Buffer.from([0xff]), Buffer.from("\ntwo\n")]),
  );
  expect(lines.map(({ text, isUtf8 }) => [text, isUtf8])).toEqual([
    ["one \ufffd", false],
    ["two", true],
  ]);
});

it("goes on from an offset", () => {
  expect(linesFrom("one\ntwo\n", { offset: 4 })).toEqual([
    { start: 4, text: "two", isUtf8: true, end: 8 },
  ]);
});

it("joins a line that is longer than one reading, with a character on the border", () => {
  const text = `${"y".repeat(256 * 1024 - 1)}글${LONG}`;
  const [line, next] = linesFrom(`${text}\nnext\n`);
  expect(line?.text === text).toBe(true);
  expect(next?.text).toBe("next");
});

it("passes over a line that is too long, and says where it was", () => {
  const lines = linesFrom(`${LONG}\nnext\n`, { mostBytes: 1_000 });
  expect(lines).toEqual([
    { start: 0, text: undefined, isUtf8: true, end: 300_001 },
    { start: 300_001, text: "next", isUtf8: true, end: 300_006 },
  ]);
});

it("reads one line again at its place", () => {
  const file = opened(`one\n${LONG}\nhalf`);
  expect(lineAt(file, 0, 1_000_000)).toBe("one");
  expect(lineAt(file, 4, 1_000_000) === LONG).toBe(true);
  expect(lineAt(file, 4, 1_000)).toBeUndefined();
  expect(lineAt(file, 300_005, 1_000)).toBeUndefined();
});
