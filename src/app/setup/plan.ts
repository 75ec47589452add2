/** Computes the changes of init and uninstall, before anything changes. `--dry-run` shows the same. */
import { join } from "node:path";
import { SentinelError, tryOr } from "../../ground/core/errors.ts";
import { groupBy } from "../../ground/core/group-by.ts";
import { type CreatedLines, createdIn, linesFor, readCreatedList } from "./created-list.ts";
import type { Created, Edit, EditKind, PutOptions } from "./edits/edit.ts";
import type { ProjectFiles } from "./project-files.ts";

/** The change of one file. */
export interface Step {
  readonly path: string;
  readonly what: EditKind;
  /** Undefined if there is no file. */
  readonly before: string | undefined;
  readonly after: string | undefined;
  /** Lines for the list of created files. */
  readonly created: readonly string[];
  /** Why the file is left alone. */
  readonly problem?: SentinelError;
}

/** Plans to make the edits. */
export function planInit(edits: readonly Edit[], files: ProjectFiles, options: PutOptions): Step[] {
  const lines = readCreatedList(files);
  const plan = (ours: readonly Edit[]): Step => {
    const step = planStep(ours, files, (before) => putAll(ours, before, options, lines));
    if (step.problem || step.before === step.after) return step;
    return { ...step, created: linesFor(ours, withoutBom(step.before)) };
  };
  const byPath = groupBy(edits, ({ path }) => path);
  return [...byPath.values()].map(plan);
}

/** Plans to remove our parts. @param lines the list of created files. */
export function planUninstall(
  edits: readonly Edit[],
  files: ProjectFiles,
  lines: CreatedLines = readCreatedList(files),
): Step[] {
  // Two names of one file, such as CLAUDE.md and the AGENTS.md that it links to, make one step.
  const byFile = groupBy(edits, ({ path }) => realPath(path, files));
  return [...byFile.values()].map((named) => {
    const [first] = named as [Edit, ...Edit[]];
    const { path } = named.find((edit) => !isLinked(edit.path, files)) ?? first;
    const ours = named.map((edit) => ({ ...edit, path }));
    const created = createdIn(path, lines);
    return planStep(ours, files, (before) => takeAll(ours, before, created));
  });
}

function putAll(
  edits: readonly Edit[],
  before: string | undefined,
  options: PutOptions,
  lines: CreatedLines,
): string | undefined {
  let text = before;
  for (const edit of edits)
    text = edit.isMoved
      ? takeAll([edit], text, createdIn(edit.path, lines))
      : behindBom(text, (inner) => edit.put(inner, options));
  return text;
}

/** The text without our parts, the last one first, or undefined to delete the file. */
function takeAll(
  edits: readonly Edit[],
  before: string | undefined,
  created: Created,
): string | undefined {
  let text = before;
  for (const edit of edits.toReversed()) {
    if (text === undefined) return undefined;
    text = behindBom(text, (inner = "") => edit.take(inner, created));
  }
  return text;
}

function planStep(
  edits: readonly Edit[],
  files: ProjectFiles,
  change: (before: string | undefined) => string | undefined,
): Step {
  const { path, what } = edits[0] as Edit;
  const step = { path, what, created: [] };
  let before: string | undefined;
  try {
    const isOurs = edits.some((edit) => edit.isOurs);
    before = isOurs ? files.readAsItIs(path) : files.read(path);
    return { ...step, before, after: change(before) };
  } catch (problem) {
    if (problem instanceof SentinelError) return { ...step, before, after: before, problem };
    throw problem;
  }
}

/** The real place of a path, or the path itself if it leads nowhere. Its step then reports that. */
const realPath = (path: string, files: ProjectFiles): string =>
  tryOr(() => files.realPath(path), path);

const isLinked = (path: string, files: ProjectFiles): boolean =>
  realPath(path, files) !== join(files.folder, path);

const BOM = "\uFEFF";

/** Changes a text behind its byte-order mark, which no parser expects. */
function behindBom(
  text: string | undefined,
  change: (text: string | undefined) => string | undefined,
): string | undefined {
  if (!text?.startsWith(BOM)) return change(text);
  const changed = change(withoutBom(text));
  return changed === undefined ? undefined : BOM + changed;
}

const withoutBom = (text: string | undefined): string | undefined =>
  text?.startsWith(BOM) ? text.slice(BOM.length) : text;
