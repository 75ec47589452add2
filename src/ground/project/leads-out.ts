import { relative, sep } from "node:path";
import { realTarget } from "../files/replace-file.ts";
import { gitRootOf } from "./git-root.ts";

/** The problem with a link out of the repository, and its fix. */
export const LEADS_OUT = {
  why: "a link leads out of the repository",
  fix: "Make it a file or folder of the repository.",
} as const;

/** Whether a path leads out of the repository or into `.git`. Anyone who can push could commit such a link. */
export function leadsOut(path: string, folder: string): boolean {
  const root = gitRootOf(folder) ?? folder;
  const [first, ...rest] = relative(realTarget(root), realTarget(path)).split(sep);
  return first === ".." || [first, ...rest].includes(".git");
}
