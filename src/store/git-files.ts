/**
 * The two files that let git share a memory: they go into `.context/` with the first record, and are left alone after.
 */
import { writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { hasCode } from "./file-errors.ts";
import { LOCAL_FOLDER } from "./trash.ts";

/** What they hold, by name. */
export function gitFiles(memoryFile: string): Readonly<Record<string, string>> {
  const name = basename(memoryFile);
  return {
    // Union keeps the lines of both sides; reading sorts out what they mean.
    ".gitattributes": `${name} text eol=lf merge=union\n`,
    ".gitignore": `${LOCAL_FOLDER}/\n${name}.lock*\n${name}.staging-*\n`,
  };
}

export async function writeGitFiles(memoryFile: string): Promise<void> {
  for (const [name, text] of Object.entries(gitFiles(memoryFile)))
    await writeOnce(join(dirname(memoryFile), name), text);
}

async function writeOnce(path: string, text: string): Promise<void> {
  try {
    await writeFile(path, text, { flag: "wx" });
  } catch (error) {
    if (!hasCode(error, "EEXIST")) throw error;
  }
}
