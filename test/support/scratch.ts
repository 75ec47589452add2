/** Folders in the system's temporary folder, by their real path. */
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * A new, empty folder; `removeFolder` ends it. Tests have `testFolder`, which does that by itself.
 * @param name what it is for, as a person sees it who finds it.
 */
export function scratchFolder(name = "test"): string {
  return realpathSync(mkdtempSync(join(tmpdir(), `sentinel-${name}-`)));
}

/** Removes a folder and everything in it; processes that are just ending, such as a capture on a busy machine, may still write there. */
export function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 25 });
}
