/**
 * The two files that let git share a memory: they go into `.context/` ahead of the first record, and of its lock, which git
 * is not to see. They are left alone after.
 */
import { stat, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { LOCAL_FOLDER } from "../files/local-folder.ts";
import { LOCK, STAGING } from "../files/sidecar-names.ts";

/** What they hold, by name. */
export function gitFiles(memoryFile: string): Readonly<Record<string, string>> {
  const name = basename(memoryFile);
  return {
    // Union keeps the lines of both sides; reading sorts out what they mean.
    ".gitattributes": `${name} text eol=lf merge=union\n`,
    ".gitignore": `${LOCAL_FOLDER}/\n${name}${LOCK}*\n${name}${STAGING}*\n`,
  };
}

export async function writeGitFiles(memoryFile: string): Promise<void> {
  for (const [name, text] of Object.entries(gitFiles(memoryFile)))
    await writeOnce(join(dirname(memoryFile), name), text);
}

async function writeOnce(path: string, text: string): Promise<void> {
  const present = await stat(path).catch(() => undefined);
  // An empty one was left by a process that was killed here.
  if (!present?.size) await writeFile(path, text);
}
