/**
 * Programs write `C:\code` in several ways: git prints `C:/code`, VS Code's extensions have `c:\code`, Cursor's hooks get `/c:/code`.
 * On other platforms a path stays as it is.
 */
import { win32 } from "node:path";

/** A path in the form that Windows itself uses: with backslashes and a capital drive letter. An empty path stays empty. */
export function platformPath(path: string, platform = process.platform): string {
  if (platform !== "win32" || path === "") return path;
  const withoutSlash = path.replace(/^[/\\](?=[A-Za-z]:)/, "");
  return win32.normalize(withoutSlash).replace(/^[a-z]:/, (drive) => drive.toUpperCase());
}

/** The same text for all spellings of a path, only for comparing: Windows ignores case. */
export function comparablePath(path: string, platform = process.platform): string {
  return platform === "win32" ? platformPath(path, platform).toLowerCase() : path;
}

/**
 * The system's spelling of a path, in the case of the disk. If its drive is a mapped share or folder, the system returns that share or
 * folder. The path then keeps its drive letter, because transcripts have it. @param real the path as it was given.
 */
export function keepDrive(real: string, bySystem: string, platform = process.platform): string {
  if (platform !== "win32") return bySystem;
  const [given, found] = [real, bySystem].map((path) =>
    comparablePath(win32.parse(path).root, platform),
  );
  return given === found ? bySystem : platformPath(real, platform);
}

/** The spellings of a folder in transcripts: clients keep the case of the drive letter that they were started with. */
export function spellingsOf(folder: string, platform = process.platform): string[] {
  if (platform !== "win32") return [folder];
  return [folder, folder.replace(/^[A-Z]:/, (drive) => drive.toLowerCase())];
}
