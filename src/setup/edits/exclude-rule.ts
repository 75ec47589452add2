/**
 * Keeps a memory private with a rule in the repository's exclude file, which git reads like an ignore file and never shares.
 * It applies to every worktree of the repository.
 */
import { relative, sep } from "node:path";
import { CONTEXT_FOLDER } from "../../project/context-folder.ts";
import { EXCLUDE } from "../../project/git-exclude.ts";
import type { ProjectFiles } from "../project-files.ts";
import { type Edit, ownLines } from "./edit.ts";

const COMMENT = "# The memory is private (sentinel-memory init --private)";

/** The rule, below a comment that says who wrote it. Taking it out takes exactly these two lines. */
export function privateRule(files: ProjectFiles): Edit {
  return ownLines(EXCLUDE, [COMMENT, ruleFor(files)], "private memory");
}

/** From the root of the worktree, so that it does not match the memory of another package. */
function ruleFor({ root, folder }: ProjectFiles): string {
  const folders = relative(root, folder).split(sep);
  const path = [...folders, CONTEXT_FOLDER].filter((name) => name !== "").join("/");
  return `/${path.replaceAll(/[\\*?[\]]/g, (special) => `\\${special}`)}/`;
}
