import { realpathSync } from "node:fs";
import { tryOr } from "../core/errors.ts";
import { keepDrive } from "./windows-paths.ts";

/**
 * The one path of a file or folder: without links, and in the case of the disk, because clients name one folder as `c:\shop` and as
 * `C:\Shop`. @throws the system's error where nothing is there.
 */
export function canonicalPath(path: string): string {
  const real = realpathSync(path);
  const bySystem = tryOr(() => realpathSync.native(path), real);
  return keepDrive(real, bySystem);
}
