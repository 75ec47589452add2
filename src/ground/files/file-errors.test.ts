import { mkdirSync, readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { fileError, patiently } from "./file-errors.ts";

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

const systemError = (code: string, path: string) =>
  Object.assign(new Error(`${code}: some words, rename '${path}' -> '${path}'`), { code, path });
const PLACE = join(import.meta.dirname, "memory_log.jsonl");

it("says on Windows that another program may have a file open which can't be replaced", () => {
  const error = systemError("EPERM", PLACE);
  const onWindows = fileError(error, "write_failed", "Writing the memory", "win32");
  expect(onWindows.code).toBe("write_failed");
  expect(onWindows.message).toContain("Writing the memory: another program has the file open");
  expect(onWindows.fix).toMatch(/^Close the editor, backup or scanner/);
  expect(fileError(error, "write_failed", "Writing the memory", "linux").code).toBe("read_only");
});

it("asks to close what keeps a file busy", () => {
  const error = fileError(systemError("EBUSY", PLACE), "read_failed", "Reading the memory");
  expect([error.code, error.fix]).toEqual([
    "read_failed",
    "Close the program that has it open, then call again.",
  ]);
});

it("sees a file in place of a folder where the system only says that nothing is there", () => {
  const below = (folder: string) =>
    fileError(systemError("ENOENT", join(folder, "a/b")), "write_failed", "Writing");
  expect(below(import.meta.filename).code).toBe("not_a_file");
  expect(below(import.meta.dirname).code).toBe("not_found");
});

const failing = (code: string, times: number) => {
  let left = times;
  return () => {
    if (left-- > 0) {
      throw Object.assign(new Error(`${code}: held`), { code });
    }
    return "replaced";
  };
};

it.each(["EPERM", "EACCES", "EBUSY"])(
  "a file that is held with %s for a moment is waited for",
  (code) => {
    expect(patiently(failing(code, 5), "win32")).toBe("replaced");
  },
);

it("a file that stays held is an error in the end", () => {
  expect(() => patiently(failing("EPERM", 6), "win32")).toThrow("EPERM");
  expect(() => patiently(failing("EPERM", 1), "linux")).toThrow("EPERM");
});

it("any other error comes at once", () => {
  expect(() => patiently(failing("ENOENT", 1), "win32")).toThrow("ENOENT");
});
