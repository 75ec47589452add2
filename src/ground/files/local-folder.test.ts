import { beforeEach, expect, it } from "vitest";
import { testFolder } from "../../../test/support/in-test.ts";
import { appendToLocalLog, readLocalLog } from "./local-folder.ts";

const NAME = "calls.log";
const MOST_BYTES = 8;

let folder: string;

beforeEach(() => {
  folder = testFolder();
});

const append = (line: string) => appendToLocalLog(folder, NAME, line, MOST_BYTES);

it("is empty without a file", () => {
  expect(readLocalLog(folder, NAME)).toEqual([]);
});

it("keeps its lines in order, and drops the older half once it's too large", () => {
  for (const line of ["1", "2", "3", "4", "5"]) {
    append(line);
  }
  expect(readLocalLog(folder, NAME)).toEqual(["1", "2", "3", "4", "5"]);
  append("6");
  expect(readLocalLog(folder, NAME)).toEqual(["3", "4", "5", "6"]);
});
