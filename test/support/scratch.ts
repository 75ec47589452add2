/** Folders in the system's temporary folder, by their real path. */
import { existsSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * A new, empty folder; `removeFolder` ends it. Tests have `testFolder`, which does that by itself.
 * @param name what it is for, as a person sees it who finds it.
 */
export function scratchFolder(name = "test"): string {
  return realpathSync(mkdtempSync(join(tmpdir(), `sentinel-${name}-`)));
}

/**
 * Removes a folder and everything in it. A capture that a test started may still be ending and write there between the
 * listing and the removal, so the whole is tried again; `rmSync` with retries would try the last step alone.
 */
export function removeFolder(folder: string): void {
  for (let tries = 1; existsSync(folder); tries++) {
    try {
      rmSync(folder, { recursive: true, force: true });
    } catch (error) {
      if (tries === 100) {
        throw error;
      }
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
    }
  }
}
