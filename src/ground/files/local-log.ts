/** Short logs in a local folder, with one entry per line. A log that gets too large loses its older half. */
import { appendFileSync, readFileSync, statSync } from "node:fs";
import writeFileAtomic from "write-file-atomic";
import { tryOr } from "../core/errors.ts";
import { localFile, localFileToWrite } from "./local-folder.ts";
import { patientlySync } from "./patiently.ts";

/** Returns the lines, oldest first. Empty if the file can't be read. */
export function readLocalLog(folder: string, name: string): string[] {
  const text = tryOr(() => readFileSync(localFile(folder, name), "utf8"), "");
  return text.split("\n").filter((line) => line !== "");
}

/** Appends a line. @param mostBytes the size at which the older half is dropped first. */
export function appendToLocalLog(
  folder: string,
  name: string,
  line: string,
  mostBytes: number,
): void {
  const path = localFileToWrite(folder, name);
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size > mostBytes) {
    const lines = readLocalLog(folder, name);
    rewriteLocalLog(folder, name, lines.slice(Math.floor(lines.length / 2)));
  }
  appendFileSync(path, `${line}\n`);
}

/** Replaces all lines. */
export function rewriteLocalLog(folder: string, name: string, lines: readonly string[]): void {
  const path = localFileToWrite(folder, name);
  const text = lines.map((line) => `${line}\n`).join("");
  patientlySync(() => writeFileAtomic.sync(path, text, { fsync: false }));
}
