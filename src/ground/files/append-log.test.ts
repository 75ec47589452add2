import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, it } from "vitest";
import { testFolder } from "../../../test/support/in-test.ts";
import { appendLines, linesWith, readLog, rewriteLines } from "./append-log.ts";

let folder: string;
let path: string;

beforeEach(() => {
  folder = testFolder();
  path = join(folder, "log.jsonl");
});

const line = (value: unknown) => JSON.stringify({ value });
const read = () =>
  readLog(path, (text) => {
    try {
      return JSON.parse(text).value as unknown;
    } catch {
      return undefined;
    }
  });

it("holds what was appended, in order, one line each", async () => {
  appendLines(path, [line("one"), line("two\n\u0000three")]);
  appendLines(path, [line("four")]);
  expect(await read()).toEqual({ entries: ["one", "two\n\u0000three", "four"], damaged: 0 });
  expect(readFileSync(path, "utf8").split("\n").length).toBe(4);
});

it("that does not exist is empty, and appending nothing does not make it", async () => {
  appendLines(path, []);
  expect(await read()).toEqual({ entries: [], damaged: 0 });
});

it("that ends in half a line goes on with a line of its own; the half is counted", async () => {
  writeFileSync(path, `${line("one")}\n{"value":"tw`);
  appendLines(path, [line("three")]);
  expect(await read()).toEqual({ entries: ["one", "three"], damaged: 1 });
});

it("that begins with half a line goes on with a line of its own", async () => {
  writeFileSync(path, "{");
  appendLines(path, [line("one")]);
  expect(await read()).toEqual({ entries: ["one"], damaged: 1 });
});

it("is read through blank lines, which are not damage", async () => {
  writeFileSync(path, `\n${line("one")}\n\n${line("two")}\n`);
  expect(await read()).toEqual({ entries: ["one", "two"], damaged: 0 });
});

it("loses the lines that are taken out, and no byte of the others", async () => {
  const broken = Buffer.from([0xff, 0xfe, 0x7b]);
  writeFileSync(path, Buffer.concat([Buffer.from(`${line("one")}\n${line("two")}\n`), broken]));
  expect(await rewriteLines(path, (text) => (text.includes("one") ? undefined : text))).toEqual([
    line("one"),
  ]);
  expect(readFileSync(path)).toEqual(
    Buffer.concat([Buffer.from(`${line("two")}\n`), broken, Buffer.from("\n")]),
  );
  expect(await rewriteLines(path, (text) => text)).toEqual([]);
});

it("in a folder that does not exist is the system's own error", () => {
  expect(() => appendLines(join(folder, "none", "log"), ["x"])).toThrow(/ENOENT/);
});

it("finds the lines that hold some bytes, as looking at each line does", () => {
  const [wanted, other] = ["a needle, and one more needle", "nothing here"];
  for (const lines of [
    [wanted],
    [other],
    [wanted, wanted],
    [other, wanted, "", wanted, other],
    [wanted, other, "needle"],
    ["", "", wanted, ""],
  ]) {
    for (const end of ["", "\n"]) {
      const text = lines.join("\n") + end;
      const found = linesWith(Buffer.from(text), Buffer.from("needle")).map(String);
      expect(found, JSON.stringify(text)).toEqual(
        text.split("\n").filter((line) => line.includes("needle")),
      );
    }
  }
});
