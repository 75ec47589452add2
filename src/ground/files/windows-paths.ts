/**
 * Paths of Windows, which programs write in several ways: git prints `C:/code`, VS Code's extensions have `c:\code`, Cursor's hooks
 * get `/c:/code`, and each is `C:\code`. On other platforms a path stays as it is.
 */
import { win32 } from "node:path";

/** A path in the form that Windows itself uses: with backslashes and a capital drive letter. An empty path stays empty. */
export function platformPath(path: string, platform = process.platform): string {
  if (platform !== "win32" || path === "") return path;
  const withoutSlash = path.replace(/^[/\\](?=[A-Za-z]:)/, "");
  return win32.normalize(withoutSlash).replace(/^[a-z]:/, (drive) => drive.toUpperCase());
}

/** What two paths have in common if they mean the same place. Only for comparing: Windows passes over the case of letters. */
export function comparablePath(path: string, platform = process.platform): string {
  return platform === "win32" ? platformPath(path, platform).toLowerCase() : path;
}

/**
 * A path as the system spells it, in the case of the disk. Of a drive letter that stands for a share or a folder the system gives the place
 * behind it. Clients write the letter into their transcripts, so it stays. @param real the same path, as it was given.
 */
export function keepDrive(real: string, bySystem: string, platform = process.platform): string {
  if (platform !== "win32") return bySystem;
  const [given, found] = [real, bySystem].map((path) =>
    comparablePath(win32.parse(path).root, platform),
  );
  return given === found ? bySystem : platformPath(real, platform);
}

/** The ways in which transcripts spell a folder: clients take the drive letter as their caller wrote it. */
export function spellingsOf(folder: string, platform = process.platform): string[] {
  if (platform !== "win32") return [folder];
  return [folder, folder.replace(/^[A-Z]:/, (drive) => drive.toLowerCase())];
}
