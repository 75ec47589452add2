/** What a client hands over instead of keeping it in a file, redacted, until a capture has read it. Where it is full, what comes last is refused. */
import { readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { SentinelError, tryOr } from "../../ground/core/errors.ts";
import { folderSize } from "../../ground/files/folder-size.ts";
import { changeUserFile } from "../../ground/files/user-folder.ts";
import { readCaptureState } from "./capture-state.ts";
import { stampOf } from "./cursor.ts";

const MOST_BYTES = 64 * 1024 * 1024;

export const spoolFolder = (logFolder: string): string => join(logFolder, "spool");

/** Puts redacted lines into the spool, as a file of their own. @throws SentinelError `spool_full`. @param now names the file. */
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
      `What opencode said waits in ${folder} and is not recorded, so nothing more is taken.`,
      "sentinel-memory sessions capture records it, or says why it cannot.",
    );
  await changeUserFile(join(folder, `${now}-${process.pid}.jsonl`), () => text);
}

/** Removes what a capture has read to its end. */
export function emptySpool(logFolder: string): void {
  const { cursors } = readCaptureState(logFolder);
  for (const name of tryOr(() => readdirSync(spoolFolder(logFolder)), [])) {
    const path = join(spoolFolder(logFolder), name);
    const info = statSync(path, { throwIfNoEntry: false });
    if (info && cursors[path]?.stamp === stampOf(info)) rmSync(path, { force: true });
  }
}
