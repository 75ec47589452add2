/**
 * Programs write `C:\code` in several ways. Git prints `C:/code`, VS Code's extensions have `c:\code`, and Cursor's hooks get `/c:/code`.
 * On other platforms a path is returned unchanged.
 */
import { win32 } from "node:path";

/** Returns a path in the form that Windows uses, with backslashes and a capital drive letter. An empty path stays empty. */
export function platformPath(path: string, platform = process.platform): string {
  if (platform !== "win32" || path === "") return path;
  const withoutSlash = path.replace(/^[/\\](?=[A-Za-z]:)/, "");
  return win32.normalize(withoutSlash).replace(/^[a-z]:/, (drive) => drive.toUpperCase());
}

/** Returns the same text for all spellings of a path. Use it only to compare, because Windows ignores case. */
export function comparablePath(path: string, platform = process.platform): string {
  return platform === "win32" ? platformPath(path, platform).toLowerCase() : path;
}

/**
 * Returns the system's spelling of a path, in the case of the disk. For a mapped drive, the system returns the share or folder behind
 * it, so this keeps the drive letter, as transcripts do. @param real the path as given.
 */
export function keepDrive(real: string, bySystem: string, platform = process.platform): string {
  if (platform !== "win32") return bySystem;
  const [given, found] = [real, bySystem].map((path) =>
    comparablePath(win32.parse(path).root, platform),
  );
  return given === found ? bySystem : platformPath(real, platform);
}

/** Returns a folder's spellings in transcripts. Clients keep the case of the drive letter they were started with. */
export function spellingsOf(folder: string, platform = process.platform): string[] {
  if (platform !== "win32") return [folder];
  return [folder, folder.replace(/^[A-Z]:/, (drive) => drive.toLowerCase())];
}
