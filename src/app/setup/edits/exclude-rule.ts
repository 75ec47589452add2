/** Rules in the repository's exclude file, which git reads like an ignore file and never shares. */
import { relative, sep } from "node:path";
import { CONTEXT_FOLDER } from "../../../ground/project/context-folder.ts";
import { EXCLUDE } from "../../../ground/project/git-files.ts";
import type { ProjectFiles } from "../project-files.ts";
import { type Edit, ownLines } from "./edit.ts";

const PRIVATE = "# The memory is private (sentinel-memory init --private)";
const PERSONAL = "# Hooks of the person's own (sentinel-memory sessions on)";

/** Hides the memory from git. */
export function privateRule(files: ProjectFiles): Edit {
  return ownLines(EXCLUDE, [PRIVATE, `${ruleFor(files, CONTEXT_FOLDER)}/`], "private memory");
}

/** Hides a personal hook file from git. @param path from the project's folder. */
export function personalRule(files: ProjectFiles, path: string): Edit {
  return ownLines(EXCLUDE, [PERSONAL, ruleFor(files, path)], "exclude rule");
}

/** A rule from the root of the worktree, so that it doesn't match the name in another package. */
function ruleFor({ root, folder }: ProjectFiles, name: string): string {
  const folders = relative(root, folder).split(sep);
  const parts = [...folders, name].filter((part) => part !== "");
  const path = parts.join("/");
  const escaped = path.replaceAll(/[\\*?[\]]/g, (special) => `\\${special}`);
  return `/${escaped}`;
}
