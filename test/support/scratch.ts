/** Folders in the system's temporary folder, by their real path. */
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A new, empty folder; `removeFolder` ends it. Tests have `testFolder`, which does that by itself. */
export function scratchFolder(): string {
  return realpathSync(mkdtempSync(join(tmpdir(), "sentinel-")));
}

/** Removes a folder and everything in it; processes that are just ending may still hold some of it. */
export function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}
