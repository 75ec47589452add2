/**
 * Keeps a memory private with a rule in the repository's exclude file, which git reads like an ignore file and never shares.
 * It applies to every worktree of the repository.
 */
import { relative, sep } from "node:path";
import { CONTEXT_FOLDER } from "../../project/context-folder.ts";
import { EXCLUDE } from "../../project/git-exclude.ts";
import type { ProjectFiles } from "../project-files.ts";
import type { Edit } from "./edit.ts";

const COMMENT = "# The memory is private (sentinel-memory init --private)";

/** The rule, below a comment that says who wrote it. Taking it out takes exactly these two lines. */
export function privateRule(files: ProjectFiles): Edit {
  const rule = ruleFor(files);
  const find = (lines: readonly string[]) =>
    lines.findIndex((line, index) => line === COMMENT && lines[index + 1] === rule);
  return {
    path: EXCLUDE,
    what: "private memory",
    put(text = "") {
      const lines = text.split("\n");
      if (find(lines) >= 0) return text;
      const isWhole = lines.at(-1) === "";
      return [...(isWhole ? lines.slice(0, -1) : lines), COMMENT, rule, ...(isWhole ? [""] : [])].join("\n");
    },
    take(text) {
      const lines = text.split("\n");
      const at = find(lines);
      return at < 0 ? text : lines.toSpliced(at, 2).join("\n");
    },
  };
}

/** From the root of the worktree, so that it does not match the memory of another package. */
function ruleFor({ root, folder }: ProjectFiles): string {
  const folders = relative(root, folder).split(sep);
  const path = [...folders, CONTEXT_FOLDER].filter((name) => name !== "").join("/");
  return `/${path.replaceAll(/[\\*?[\]]/g, (special) => `\\${special}`)}/`;
}
