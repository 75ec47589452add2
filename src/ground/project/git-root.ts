import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

/** The nearest folder upward that has a `.git`, or undefined. @param start absolute. */
export function gitRootOf(start: string): string | undefined {
  for (let folder = start; ; folder = dirname(folder)) {
    if (existsSync(join(folder, ".git"))) return folder;
    if (folder === dirname(folder)) return undefined;
  }
}
