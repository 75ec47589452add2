/** Sessions that began in another folder and came to the project on their way: only what they wrote says so. */
import { createReadStream, statSync } from "node:fs";

/** Clocks of file systems may be a little coarse. */
const LEEWAY_MS = 2_000;
const CHUNK_BYTES = 1024 * 1024;

/** Those of the transcripts that changed since a time and hold one of the marks. @param since in ms since 1970. */
export async function transcriptsWith(marks: readonly string[], paths: readonly string[], since: number) {
  const found: string[] = [];
  const needles = marks.map((mark) => Buffer.from(mark));
  for (const path of paths) {
    const changed = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    if (changed >= since - LEEWAY_MS && (await holds(path, needles))) found.push(path);
  }
  return found;
}

async function holds(path: string, needles: readonly Buffer[]): Promise<boolean> {
  const overlap = Math.max(0, ...needles.map(({ length }) => length - 1));
  let end = Buffer.alloc(0);
  try {
    for await (const chunk of createReadStream(path, { highWaterMark: CHUNK_BYTES }) as AsyncIterable<Buffer>) {
      const bytes = Buffer.concat([end, chunk]);
      if (needles.some((needle) => bytes.includes(needle))) return true;
      end = bytes.subarray(Math.max(0, bytes.length - overlap));
    }
  } catch {
    // It is gone, or not ours to read; what it says is not missed before it can be read.
  }
  return false;
}
