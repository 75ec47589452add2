/**
 * The two files that let git share a memory: they go into `.context/` with the first record, and are left alone after.
 */
import { writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { hasCode } from "./file-errors.ts";
import { LOCAL_FOLDER } from "./trash.ts";

export async function writeGitFiles(memoryFile: string): Promise<void> {
  const name = basename(memoryFile);
  // Union keeps the lines of both sides; reading sorts out what they mean.
  await writeOnce(join(dirname(memoryFile), ".gitattributes"), `${name} text eol=lf merge=union\n`);
  await writeOnce(join(dirname(memoryFile), ".gitignore"), `${LOCAL_FOLDER}/\n${name}.lock*\n${name}.staging-*\n`);
}

async function writeOnce(path: string, text: string): Promise<void> {
  try {
    await writeFile(path, text, { flag: "wx" });
  } catch (error) {
    if (!hasCode(error, "EEXIST")) throw error;
  }
}
