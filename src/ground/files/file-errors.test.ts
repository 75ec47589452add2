import { mkdirSync, readFileSync, renameSync } from "node:fs";
import { expect, it } from "vitest";
import { fileError } from "./file-errors.ts";

function told(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    return fileError(error, "write_failed", "writing the record").message;
  }
  return expect.fail("nothing failed");
}

it("says what the system says without its codes, its calls and the files of a moment", () => {
  const below = `${process.execPath}/below`;
  expect(told(() => mkdirSync(`${below}.lock`))).toBe("writing the record: not a directory");
  expect(told(() => readFileSync(below))).toBe("writing the record: not a directory");
  expect(told(() => renameSync("/nowhere/a", "/nowhere/b"))).toBe(
    "writing the record: no such file or directory",
  );
});

it("keeps what is no message of the system's", () => {
  expect(fileError(new Error("EOF: too early"), "write_failed", "writing").message).toBe(
    "writing: EOF: too early",
  );
});
