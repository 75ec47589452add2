/** The two files that let git share a memory: written before the first lesson and its lock, and changed after that by `init` alone. */
import { writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { sizeOfFile } from "../files/named-file.ts";
import { LOCK, STAGING } from "../files/sidecar-names.ts";
import { LOCAL_FOLDER } from "./context-folder.ts";

/** Git neither changes the server's files nor shows or merges them by lines, so that a conflict leaves a server that starts; it shows their sums. */
export const SERVER_ATTRIBUTES = [
  "server/** -text -diff linguist-vendored -merge",
  "server/SHA256SUMS diff",
];

/** The line that says how git keeps a memory: union keeps the lines of both sides, and no filter, such as that of LFS, commits something else. */
export const memoryAttributes = (memoryFile: string): string =>
  `${earlierAttributes(memoryFile)} -filter !diff`;
/** That line as an earlier version wrote it. */
export const earlierAttributes = (memoryFile: string): string =>
  `${basename(memoryFile)} text eol=lf merge=union`;

/** Their contents, by name. */
export function gitFiles(memoryFile: string): Readonly<Record<string, string>> {
  const name = basename(memoryFile);
  return {
    ".gitattributes": `${memoryAttributes(memoryFile)}\n`,
    ".gitignore": `${LOCAL_FOLDER}/\n${name}${LOCK}*\n${name}${STAGING}*\n`,
  };
}

/** Writes those that are missing or empty. */
export async function writeGitFiles(memoryFile: string): Promise<void> {
  for (const [name, text] of Object.entries(gitFiles(memoryFile))) {
    const path = join(dirname(memoryFile), name);
    // An empty one was left by a process that was killed here.
    if ((await sizeOfFile(path)) === 0) await writeFile(path, text);
  }
}
