/**
 * Compares, converts and quotes paths. On Windows, programs write `C:\code` in several ways. Git prints `C:/code`, VS Code's extensions have `c:\code`, and
 * Cursor's hooks get `/c:/code`.
 */
import { existsSync, readdirSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, sep, win32 } from "node:path";
import { tryOr } from "../core/errors.ts";
import { composed } from "../core/text.ts";

/** Whether a path is a folder. */
export const isFolder = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

/** Returns a path with each name as on the disk, regardless of Unicode form. Undefined if it doesn't exist. */
export function pathOnDisk(path: string): string | undefined {
  if (existsSync(path)) {
    return path;
  }
  const parent = dirname(path) === path ? undefined : pathOnDisk(dirname(path));
  if (parent === undefined) {
    return undefined;
  }
  const wanted = composed(basename(path));
  const name = tryOr(() => readdirSync(parent), []).find((one) => composed(one) === wanted);
  return name === undefined ? undefined : join(parent, name);
}

/** Whether a path is the folder or inside it. */
export function isWithin(folder: string, path: string): boolean {
  const way = relative(composed(folder), composed(path));
  return way === "" || (way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}

/** Returns a path relative to a folder, with forward slashes on every platform, as in git and in lessons. */
export const nameBelow = (folder: string, path: string): string =>
  relative(folder, path).replaceAll(sep, "/");

/**
 * Returns the path of a file or folder without links and in the case of the disk, because clients write the
 * same folder as `c:\shop` and `C:\Shop`. @throws the system's error if it doesn't exist.
 */
export function canonicalPath(path: string): string {
  if (process.platform !== "win32") {
    return realpathSync.native(path);
  }
  // The system may return the share behind a drive letter, or fail on such a drive.
  const real = realpathSync(path);
  const bySystem = tryOr(() => realpathSync.native(path), real);
  return keepDrive(real, bySystem);
}

/** Returns a path in the form that Windows uses, with backslashes and a capital drive letter. On other platforms, and if it's empty, the path is returned unchanged. */
export function platformPath(path: string, platform = process.platform): string {
  if (platform !== "win32" || path === "") {
    return path;
  }
  const withoutSlash = path.replace(/^[/\\](?=[A-Za-z]:)/, "");
  return win32.normalize(withoutSlash).replace(/^[a-z]:/, (drive) => drive.toUpperCase());
}

/** Returns the same text for all spellings of a path. Use it only to compare, because Windows ignores case. */
export function comparablePath(path: string, platform = process.platform): string {
  return platform === "win32" ? platformPath(path, platform).toLowerCase() : path;
}

/**
 * Returns the system's spelling of a path, in the case of the disk. For a mapped drive, the system returns the share or folder behind
 * it, so this keeps the drive letter, as transcripts do. @param real the path as given. @internal
 */
export function keepDrive(real: string, bySystem: string, platform = process.platform): string {
  if (platform !== "win32") {
    return bySystem;
  }
  const [given, found] = [real, bySystem].map((path) =>
    comparablePath(win32.parse(path).root, platform),
  );
  return given === found ? bySystem : platformPath(real, platform);
}

/** Returns a folder's spellings in transcripts. Clients keep the case of the drive letter they were started with. */
export function spellingsOf(folder: string, platform = process.platform): string[] {
  if (platform !== "win32") {
    return [folder];
  }
  return [folder, folder.replace(/^[A-Z]:/, (drive) => drive.toLowerCase())];
}

/**
 * Quotes a word if a shell would split it or interpret it: in double quotes, or in single quotes if it has a sign that double quotes
 * don't protect. On Windows always in double quotes, the only ones that cmd accepts.
 */
export function quoted(word: string): string {
  if (/^[\w./:@-]+$/.test(word)) {
    return word;
  }
  if (process.platform === "win32") {
    return `"${word.replaceAll('"', '""')}"`;
  }
  return /["$`!\\]/.test(word) ? `'${word.replaceAll("'", `'\\''`)}'` : `"${word}"`;
}
