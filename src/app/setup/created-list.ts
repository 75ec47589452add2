/**
 * The committed list of the files and JSON objects that init created. uninstall removes them once
 * they're empty. Those that were there before stay, and only this list tells a clone which they are.
 */
import { isDeepStrictEqual } from "node:util";
import { tryOr } from "../../ground/core/errors.ts";
import { CONTEXT_FOLDER } from "../../ground/project/context-folder.ts";
import { type Created, type Edit, ownLines, type Path } from "./edits/edit.ts";
import { valueAt } from "./edits/json.ts";
import type { Step } from "./plan.ts";
import type { ProjectFiles } from "./project-files.ts";

const NAME = "created-by-init.txt";
export const CREATED_LIST = `${CONTEXT_FOLDER}/${NAME}`;
const HEADER =
  "# Created by Sentinel Memory's init. uninstall removes these files and JSON objects once they're empty.";

/** Lines such as `CLAUDE.md`, and `.mcp.json#mcpServers/` for an object in an existing file. */
export type CreatedLines = ReadonlySet<string>;

/** The lines of the project's list. A list that can't be read is empty, so nothing is deleted. */
export function readCreatedList(files: ProjectFiles): CreatedLines {
  const text = tryOr(() => files.read(CREATED_LIST), undefined) ?? "";
  const lines = text.split(/\r?\n/).filter((line) => line !== "" && !line.startsWith("#"));
  return new Set(lines);
}

/** What the lines say about one file. */
export function createdIn(path: string, lines: CreatedLines): Created {
  const file = lines.has(path);
  const containers = [...lines].filter((line) => line.startsWith(`${path}#`));
  // A container in one that we created is ours too.
  const isOurs = (at: Path) => containers.some((outer) => lineOf(path, at).startsWith(outer));
  return { file, container: (at) => file || isOurs(at) };
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
  const removed = steps.filter(({ before, after }) => before !== undefined && after === undefined);
  const paths = removed.map(({ path }) => path);
  const kept = [...old].filter((line) => !paths.includes(fileOf(line)));
  const lines = new Set([...kept, ...steps.flatMap(({ created }) => created)]);
  return isDeepStrictEqual(lines, old) ? [...steps] : [listStep([...lines], files), ...steps];
}

/** The last step of `uninstall`: it removes the list, or leaves the files in it that failed. */
export function remainingList(steps: readonly Step[], files: ProjectFiles): Step {
  const failed = steps.filter(({ problem }) => problem).map(({ path }) => path);
  const lines = [...readCreatedList(files)].filter((line) => failed.includes(fileOf(line)));
  return listStep(lines, files);
}

function listStep(lines: readonly string[], files: ProjectFiles): Step {
  const text = `${[HEADER, ...lines.toSorted()].join("\n")}\n`;
  return {
    path: CREATED_LIST,
    what: "list of created files",
    before: tryOr(() => files.readAsItIs(CREATED_LIST), undefined),
    after: lines.length === 0 ? undefined : text,
    created: [],
  };
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
const lineOf = (path: string, at: Path): string => `${path}#${at.map((key) => `${key}/`).join("")}`;
