/** Sessions that began in another folder and came to the project on their way: only what they wrote says so. */
import { statSync } from "node:fs";
import { openReadable, type ReadableFile } from "../../ground/files/readable-file.ts";

/** Clocks of file systems may be a little coarse. */
const LEEWAY_MS = 2_000;
const CHUNK_BYTES = 1024 * 1024;

/** Those of the transcripts that changed since a time and hold one of the marks. @param since in ms since 1970. */
export function transcriptsWith(
  marks: readonly string[],
  paths: readonly string[],
  since: number,
): string[] {
  const found: string[] = [];
  const needles = marks.map((mark) => Buffer.from(mark));
  for (const path of paths) {
    const changed = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    if (changed >= since - LEEWAY_MS && holds(path, needles)) found.push(path);
  }
  return found;
}

function holds(path: string, needles: readonly Buffer[]): boolean {
  let file: ReadableFile | undefined;
  try {
    file = openReadable(path);
    return contains(file, needles);
  } catch {
    // It is gone, or not ours to read; what it says is not missed before it can be read.
    return false;
  } finally {
    file?.close();
  }
}

function contains(file: ReadableFile, needles: readonly Buffer[]): boolean {
  const overlap = Math.max(0, ...needles.map(({ length }) => length - 1));
  for (let at = 0; at < file.size(); at += CHUNK_BYTES) {
    const bytes = file.readAt(at, CHUNK_BYTES + overlap);
    if (needles.some((needle) => bytes.includes(needle))) return true;
  }
  return false;
}
