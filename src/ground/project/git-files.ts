/** The files that decide what git shares of a memory. Two are written before the first lesson, and later only `init` changes them. The exclude file is only in this clone. */
import { writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { sizeOfFile } from "../files/read-files.ts";
import { LOCK, STAGING } from "../files/replace-file.ts";
import { LOCAL_FOLDER } from "./context-folder.ts";
import { repositoryAround } from "./repository.ts";

/** Git must not convert or merge the server's files line by line, so that the server starts despite a conflict. Only the checksums have a diff. */
export const SERVER_ATTRIBUTES = [
  "server/** -text -diff linguist-vendored -merge",
  "server/SHA256SUMS diff",
];

/** The attributes of a memory. A union merge keeps the lines of both sides, and no filter, such as LFS, changes the file. */
export const memoryAttributes = (memoryFile: string): string =>
  `${basename(memoryFile)} text eol=lf merge=union -filter !diff`;

/** The ignore file next to a memory. */
export function memoryIgnores(memoryFile: string): string {
  const name = basename(memoryFile);
  return `${LOCAL_FOLDER}/\n${name}${LOCK}*\n${name}${STAGING}*\n`;
}

/** Writes the files that are missing or empty. */
export async function writeGitFiles(memoryFile: string): Promise<void> {
  const texts = {
    ".gitattributes": `${memoryAttributes(memoryFile)}\n`,
    ".gitignore": memoryIgnores(memoryFile),
  };
  for (const [name, text] of Object.entries(texts)) {
    const path = join(dirname(memoryFile), name);
    // A process that was killed here leaves an empty file.
    if ((await sizeOfFile(path)) === 0) {
      await writeFile(path, text);
    }
  }
}

/** The file's path from the root of a repository. In a worktree, git keeps it elsewhere. */
export const EXCLUDE = ".git/info/exclude";

/** Returns the exclude file of the repository around a folder. Without a repository, the file doesn't exist. */
export function excludeFileOf(folder: string): string {
  const repository = repositoryAround(folder);
  return repository ? join(repository.common, "info", "exclude") : join(folder, EXCLUDE);
}
