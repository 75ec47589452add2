import { realpathSync } from "node:fs";
import { tryOr } from "../core/errors.ts";
import { keepDrive } from "./windows-paths.ts";

/**
 * Returns the path of a file or folder without links and in the case of the disk, because clients write the
 * same folder as `c:\shop` and `C:\Shop`. @throws the system's error if it doesn't exist.
 */
export function canonicalPath(path: string): string {
  if (process.platform !== "win32") return realpathSync.native(path);
  // The system may return the share behind a drive letter, or fail on such a drive.
  const real = realpathSync(path);
  const bySystem = tryOr(() => realpathSync.native(path), real);
  return keepDrive(real, bySystem);
}
