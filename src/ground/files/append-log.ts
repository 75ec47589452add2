/** A log of whole lines, appended to under a lock and read without one (docs/design/sessions.md, "Appending and reading"). Readers may see a batch twice. */
import { fstatSync, fsyncSync, statSync, writeSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname } from "node:path";
import writeFileAtomic from "write-file-atomic";
import { SentinelError } from "../core/errors.ts";
import { faultPoint } from "./fault-points.ts";
import { patiently, unlessMissing } from "./file-errors.ts";
import { readAt, withFile } from "./read-files.ts";
import { flushFolder, notArrived } from "./replace-file.ts";

const LINE_FEED = 0x0a;
const APPEND_TRIES = 20;

/**
 * Appends lines, without ends and with control characters escaped, and flushes them. It creates the file, but not its folder.
 * @param mode of a new file.
 * @param place the path, or a function that returns it before each try.
 * @throws SentinelError `write_failed` if the file keeps being replaced, or the system's error.
 */
export function appendLines(
  place: string | (() => string),
  lines: readonly string[],
  mode = 0o666,
): void {
  if (lines.length === 0) {
    return;
  }
  const pathNow = typeof place === "string" ? () => place : place;
  const batch = Buffer.from(`${lines.join("\n")}\n`);
  for (let tries = 1; tries <= APPEND_TRIES; tries++) {
    if (appendOnce(pathNow(), batch, mode)) {
      return;
    }
  }
  throw new SentinelError(
    "write_failed",
    `Another program kept replacing ${pathNow()}, so the appended lines were lost.`,
    "Find out what else writes this file, then call again.",
  );
}

/** Returns the entries of a log, oldest first, and the number of damaged lines. @param read returns undefined for a damaged line. */
export async function readLog<Entry>(path: string, read: (line: string) => Entry | undefined) {
  const lines = linesOf(await readOrNothing(path));
  const entries = lines.flatMap((line) => read(line.toString("utf8")) ?? []);
  return { entries, damaged: lines.length - entries.length };
}

/** Rewrites lines under the lock of their writers. @param edit returns the new line, or undefined to drop it. @returns the dropped lines. */
export async function rewriteLines(
  path: string,
  edit: (line: string) => string | undefined,
): Promise<readonly string[]> {
  const kept: Buffer[] = [];
  const removed: string[] = [];
  let isChanged = false;
  for (const line of linesOf(await readOrNothing(path))) {
    const text = line.toString("utf8");
    const edited = edit(text);
    isChanged ||= edited !== text;
    if (edited === undefined) {
      removed.push(text);
    } else {
      kept.push(edited === text ? line : Buffer.from(edited), Buffer.of(LINE_FEED));
    }
  }
  if (isChanged) {
    patiently(() => writeFileAtomic.sync(path, Buffer.concat(kept)));
  }
  return removed;
}

/** Appends a batch once. Returns whether the file now at this path contains it. */
function appendOnce(path: string, batch: Buffer, mode: number): boolean {
  const append = (file: number) => {
    const { size, dev, ino } = fstatSync(file, { bigint: true });
    const lastByte = Math.max(0, Number(size) - 1);
    const isTorn = size > 0n && readAt(file, lastByte, 1)[0] !== LINE_FEED;
    const bytes = isTorn ? Buffer.concat([Buffer.of(LINE_FEED), batch]) : batch;
    const written = writeSync(file, bytes);
    if (written < bytes.length) {
      throw notArrived(written, bytes.length);
    }
    fsyncSync(file);
    if (size === 0n) {
      flushFolder(dirname(path));
    }
    faultPoint("appended");
    const named = statSync(path, { bigint: true, throwIfNoEntry: false });
    if (named?.ino !== ino || named.dev !== dev) {
      return false;
    }
    // If no other process wrote meanwhile, the batch is at the previous end of the file.
    return named.size === size + BigInt(bytes.length) || holdsLines(file, lastByte, batch);
  };
  return withFile(path, append, "a+", mode);
}

/** Whether the file contains these whole lines after an offset. Another process may have left a partial line just before them. */
function holdsLines(file: number, from: number, lines: Buffer): boolean {
  const bytes = readAt(file, from, Math.max(0, fstatSync(file).size - from));
  for (let at = bytes.indexOf(lines); at >= 0; at = bytes.indexOf(lines, at + 1)) {
    if (from + at === 0 || bytes[at - 1] === LINE_FEED) {
      return true;
    }
  }
  return false;
}

const readOrNothing = async (path: string): Promise<Buffer> =>
  (await readFile(path).catch(unlessMissing)) ?? Buffer.alloc(0);

/** Returns the lines of a log without blank ones. Blank lines occur if two writers repair a torn line at once. */
export function linesOf(bytes: Buffer): Buffer[] {
  const lines: Buffer[] = [];
  for (let start = 0; start < bytes.length; ) {
    const end = bytes.indexOf(LINE_FEED, start);
    const line = bytes.subarray(start, end < 0 ? bytes.length : end);
    if (line.length > 0) {
      lines.push(line);
    }
    start += line.length + 1;
  }
  return lines;
}

/** Returns the lines that contain some bytes, without examining the others. @param needle has no line feed and isn't empty. */
export function linesWith(bytes: Buffer, needle: Buffer): Buffer[] {
  const lines: Buffer[] = [];
  for (let at = bytes.indexOf(needle); at >= 0; ) {
    const next = bytes.indexOf(LINE_FEED, at);
    const end = next < 0 ? bytes.length : next;
    lines.push(bytes.subarray(bytes.lastIndexOf(LINE_FEED, at) + 1, end));
    at = bytes.indexOf(needle, end);
  }
  return lines;
}
