/**
 * Rules in the repository's exclude file, which git reads like an ignore file and never shares. They apply to every worktree of the
 * repository.
 */
import { relative, sep } from "node:path";
import { CONTEXT_FOLDER } from "../../project/context-folder.ts";
import { EXCLUDE } from "../../project/git-exclude.ts";
import type { ProjectFiles } from "../project-files.ts";
import type { Edit, EditKind } from "./edit.ts";

const PRIVATE = "# The memory is private (sentinel-memory init --private)";
const PERSONAL = "# Hooks of the person's own (sentinel-memory record on)";

/** Keeps the memory private. */
export function privateRule(files: ProjectFiles): Edit {
  return excludeRule("private memory", PRIVATE, `${ruleFor(files, CONTEXT_FOLDER)}/`);
}

/** Keeps a file with hooks of the person's own out of git. @param path from the project's folder. */
export function personalRule(files: ProjectFiles, path: string): Edit {
  return excludeRule("exclude rule", PERSONAL, ruleFor(files, path));
}

/** A rule, below a comment that says who wrote it. Taking it out takes exactly these two lines. */
function excludeRule(what: EditKind, comment: string, rule: string): Edit {
  const find = (lines: readonly string[]) =>
    lines.findIndex((line, index) => line === comment && lines[index + 1] === rule);
  return {
    path: EXCLUDE,
    what,
    put(text = "") {
      const lines = text.split("\n");
      if (find(lines) >= 0) return text;
      const isWhole = lines.at(-1) === "";
      return [...(isWhole ? lines.slice(0, -1) : lines), comment, rule, ...(isWhole ? [""] : [])].join("\n");
    },
    take(text) {
      const lines = text.split("\n");
      const at = find(lines);
      return at < 0 ? text : lines.toSpliced(at, 2).join("\n");
    },
  };
}

/** From the root of the worktree, so that it does not match the same name in another package. */
function ruleFor({ root, folder }: ProjectFiles, name: string): string {
  const path = [...relative(root, folder).split(sep), name].filter((part) => part !== "").join("/");
  return `/${path.replaceAll(/[\\*?[\]]/g, (special) => `\\${special}`)}`;
}
