/** Redacted messages that a client handed over instead of keeping them in a file, until a capture has read them. */
import { readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { SentinelError, tryOr } from "../../ground/core/errors.ts";
import { changeUserFile } from "../../ground/files/private-file.ts";
import { folderSize } from "../../ground/files/read-files.ts";
import { readCaptureState, stampOf } from "./capture-state.ts";

const MOST_BYTES = 64 * 1024 * 1024;

export const spoolFolder = (logFolder: string): string => join(logFolder, "spool");

/** Writes redacted lines into a new file of the spool. @param now for the file's name. @throws SentinelError `spool_full`. */
export async function putIntoSpool(
  logFolder: string,
  lines: readonly string[],
  now: number,
): Promise<void> {
  const folder = spoolFolder(logFolder);
  const text = lines.map((line) => `${line}\n`).join("");
  if (folderSize(folder) + Buffer.byteLength(text) > MOST_BYTES)
    throw new SentinelError(
      "spool_full",
      `Messages of opencode in ${folder} are not recorded yet, and there is no room for more.`,
      "sentinel-memory sessions capture records them, or says why it cannot.",
    );
  await changeUserFile(join(folder, `${now}-${process.pid}.jsonl`), () => text);
}

/** Removes the files that a capture has read to the end. */
export function emptySpool(logFolder: string): void {
  const { cursors } = readCaptureState(logFolder);
  for (const name of tryOr(() => readdirSync(spoolFolder(logFolder)), [])) {
    const path = join(spoolFolder(logFolder), name);
    const info = statSync(path, { throwIfNoEntry: false });
    if (info && cursors[path]?.stamp === stampOf(info)) rmSync(path, { force: true });
  }
}
