/**
 * The committed list of the files and JSON objects that init created. uninstall removes them once
 * they're empty. It keeps those that existed before, and a clone can't tell them apart without this list.
 */
import { isDeepStrictEqual } from "node:util";
import { tryOr } from "../../ground/core/errors.ts";
import { CONTEXT_FOLDER } from "../../ground/project/context-folder.ts";
import { type Created, type Edit, ownLines, type Path } from "./edits/edit.ts";
import { valueAt } from "./edits/json.ts";
import type { ProjectFiles } from "./project-files.ts";
import type { Step } from "./step.ts";

const NAME = "created-by-init.txt";
export const CREATED_LIST = `${CONTEXT_FOLDER}/${NAME}`;
const HEADER =
  "# Created by Sentinel Memory's init. uninstall removes these files and JSON objects once they're empty.";

/** Lines such as `CLAUDE.md`, and `.mcp.json#mcpServers/` for an object in an existing file. */
export type CreatedLines = ReadonlySet<string>;

/** The lines of the project's list. A list that can't be read is empty, so nothing is deleted. */
export function readCreatedList(files: ProjectFiles): CreatedLines {
  const text = tryOr(() => files.read(CREATED_LIST), undefined) ?? "";
  const lines = text.split(/\r?\n/);
  const isEntry = (line: string): boolean => line !== "" && !line.startsWith("#");
  return new Set(lines.filter(isEntry));
}

/** The lines about one file. */
export function createdIn(path: string, lines: CreatedLines): Created {
  const file = lines.has(path);
  const containers = [...lines].filter((line) => line.startsWith(`${path}#`));
  const container = (at: Path): boolean => {
    const line = lineOf(path, at);
    // A container in one that we created is ours too.
    return file || containers.some((outer) => line.startsWith(outer));
  };
  return { file, container };
}

/** The lines for what edits of one file create. @param before its text, without a byte-order mark. */
export function linesFor(edits: readonly Edit[], before: string | undefined): string[] {
  const [first] = edits;
  if (!first || edits.some(({ isOurs }) => isOurs)) return [];
  if (before === undefined) return [first.path];
  const missing: string[] = [];
  for (const at of edits.flatMap(({ containers = [] }) => containers)) {
    const line = lineOf(first.path, at);
    const isInside = missing.some((outer) => line.startsWith(outer));
    if (!isInside && !isThere(before, at)) missing.push(line);
  }
  return missing;
}

/** The steps with the one that brings the list up to date, which comes first. */
export function withCreatedList(steps: readonly Step[], files: ProjectFiles): Step[] {
  const old = readCreatedList(files);
  const lines = new Set(old);
  for (const { path, before, after, created } of steps) {
    const isRemoved = before !== undefined && after === undefined;
    if (isRemoved) removeLines(path, lines);
    for (const line of created) lines.add(line);
  }
  if (isDeepStrictEqual(lines, old)) return [...steps];
  return [listStep(lines, files), ...steps];
}

/** The last step of `uninstall`: it removes the list, or leaves the files in it that failed. */
export function remainingList(steps: readonly Step[], files: ProjectFiles): Step {
  const failed = steps.filter(({ problem }) => problem);
  const paths = failed.map(({ path }) => path);
  const old = [...readCreatedList(files)];
  const lines = old.filter((line) => paths.includes(fileOf(line)));
  return listStep(new Set(lines), files);
}

function listStep(lines: CreatedLines, files: ProjectFiles): Step {
  const before = tryOr(() => files.readAsItIs(CREATED_LIST), undefined);
  const sorted = [...lines].sort();
  const text = [HEADER, ...sorted, ""].join("\n");
  const after = lines.size === 0 ? undefined : text;
  return { path: CREATED_LIST, what: "list of created files", before, after, created: [] };
}

function removeLines(path: string, lines: Set<string>): void {
  for (const line of lines) if (fileOf(line) === path) lines.delete(line);
}

/** Lets git keep the lines of both sides of a merge. */
export function listAttributes(): Edit {
  return ownLines(
    `${CONTEXT_FOLDER}/.gitattributes`,
    [`${NAME} merge=union`],
    "list of created files",
  );
}

/** The file that a line is about. */
const fileOf = (line: string): string => line.split("#", 1).join("");

function isThere(text: string, at: Path): boolean {
  return text.trim() !== "" && valueAt(text, at) !== undefined;
}

/** The line of a container. Those in it begin with the same characters. */
function lineOf(path: string, at: Path): string {
  const keys = at.map((key) => `${key}/`);
  return `${path}#${keys.join("")}`;
}
