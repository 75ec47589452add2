import { statSync } from "node:fs";
import { readCaptureState } from "./capture-state.ts";
import { stampOf } from "./cursor.ts";
import type { LeftToRead } from "./report.ts";
import type { Sources } from "./sources.ts";

/**
 * Of these transcripts, what no capture has read. A time that was agreed to and makes them be read again does not count.
 * @param began in ms since 1970: one that was written before and never read does not count.
 */
export function leftToRead(logFolder: string, transcripts: Sources["transcripts"], began = 0): LeftToRead {
  const { cursors } = readCaptureState(logFolder);
  const left = { transcripts: 0, bytes: 0 };
  for (const { path } of transcripts) {
    const info = statSync(path, { throwIfNoEntry: false });
    const { offset = 0, stamp } = cursors[path] ?? {};
    if (!info || stamp === stampOf(info) || info.mtimeMs < began) continue;
    left.transcripts += 1;
    left.bytes += Math.max(0, info.size - offset);
  }
  return left;
}
