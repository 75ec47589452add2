/** Rules in the repository's exclude file, which git reads like an ignore file and never shares. They apply to every worktree of the repository. */
import { relative, sep } from "node:path";
import { CONTEXT_FOLDER } from "../../../ground/project/context-folder.ts";
import { EXCLUDE } from "../../../ground/project/git-exclude.ts";
import type { ProjectFiles } from "../project-files.ts";
import { type Edit, ownLines } from "./edit.ts";

const PRIVATE = "# The memory is private (sentinel-memory init --private)";
const PERSONAL = "# Hooks of the person's own (sentinel-memory sessions on)";

/** Keeps the memory private. */
export function privateRule(files: ProjectFiles): Edit {
  return ownLines(EXCLUDE, [PRIVATE, `${ruleFor(files, CONTEXT_FOLDER)}/`], "private memory");
}

/** Keeps a file with hooks of the person's own out of git. @param path from the project's folder. */
export function personalRule(files: ProjectFiles, path: string): Edit {
  return ownLines(EXCLUDE, [PERSONAL, ruleFor(files, path)], "exclude rule");
}

/** From the root of the worktree, so that it does not match the same name in another package. */
function ruleFor({ root, folder }: ProjectFiles, name: string): string {
  const path = [...relative(root, folder).split(sep), name].filter((part) => part !== "").join("/");
  return `/${path.replaceAll(/[\\*?[\]]/g, (special) => `\\${special}`)}`;
}
