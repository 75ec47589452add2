import { relative, sep } from "node:path";
import { realTarget } from "../files/replace-file.ts";
import { gitRootOf } from "./git-root.ts";

/** What is wrong with a shared file that is such a link, and what to do. */
export const LEADS_OUT = {
  why: "a link leads out of the repository",
  fix: "Make it a file or folder of the repository.",
} as const;

/** Whether a path leads out of the repository or into `.git`: anybody who can push could put a link in place of a shared file. */
export function leadsOut(path: string, folder: string): boolean {
  const root = gitRootOf(folder) ?? folder;
  const [first, ...rest] = relative(realTarget(root), realTarget(path)).split(sep);
  return first === ".." || [first, ...rest].includes(".git");
}
