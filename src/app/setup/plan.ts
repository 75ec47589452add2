/** Computes the changes of init and uninstall, which `--dry-run` shows, and makes them. A step that fails leaves its file alone, and the others go on. */

import { groupBy } from "../../ground/core/collections.ts";
import { SentinelError, tryOr } from "../../ground/core/errors.ts";
import { CONTEXT_FOLDER, LOCAL_FOLDER } from "../../ground/project/context-folder.ts";
import type { Edit, EditKind } from "./edits/edit.ts";
import type { ProjectFiles } from "./project-files.ts";

/** The change of one file, or of the server's copy. */
export interface Step {
  readonly path: string;
  readonly what: EditKind;
  /** The text, or the copy's version. Undefined if the file or copy doesn't exist. */
  readonly before: string | undefined;
  readonly after: string | undefined;
  /** Makes the change, if that isn't writing or removing one text. */
  readonly carryOut?: () => Promise<void>;
  /** Why the file is left alone. */
  readonly problem?: SentinelError;
}

/** Plans to make the edits. @param replaceOthers whether to replace entries of our name. */
export function planInit(
  edits: readonly Edit[],
  files: ProjectFiles,
  replaceOthers = false,
): Step[] {
  const byPath = groupBy(edits, ({ path }) => path);
  return [...byPath.values()].map((ours) =>
    planStep(ours, files, (before) => putAll(ours, before, replaceOthers)),
  );
}

/** Plans to remove our parts. */
export function planUninstall(edits: readonly Edit[], files: ProjectFiles): Step[] {
  // Two names of one file, such as CLAUDE.md and the AGENTS.md that it links to, make one step.
  const byFile = groupBy(edits, ({ path }) => tryOr(() => files.realPath(path), path));
  return [...byFile.values()].map((named) => {
    const [first] = named as [Edit, ...Edit[]];
    const { path } = named.find((edit) => !files.isLinked(edit.path)) ?? first;
    const ours = named.map((edit) => ({ ...edit, path }));
    return planStep(ours, files, (before) => takeAll(ours, before));
  });
}

function putAll(
  edits: readonly Edit[],
  before: string | undefined,
  replaceOthers: boolean,
): string | undefined {
  let text = before;
  for (const edit of edits) {
    text = edit.put(text, replaceOthers);
  }
  return text;
}

/** The text without our parts, the last one first, or undefined to delete the file. */
function takeAll(edits: readonly Edit[], before: string | undefined): string | undefined {
  let text = before;
  for (const edit of edits.toReversed()) {
    if (text === undefined) {
      return undefined;
    }
    text = edit.take(text);
  }
  return text;
}

function planStep(
  edits: readonly Edit[],
  files: ProjectFiles,
  change: (before: string | undefined) => string | undefined,
): Step {
  const { path, what } = edits[0] as Edit;
  let before: string | undefined;
  try {
    const isOurs = edits.some((edit) => edit.isOurs);
    before = isOurs ? files.readAsItIs(path) : files.read(path);
    return { path, what, before, after: change(before) };
  } catch (problem) {
    if (problem instanceof SentinelError) {
      return { path, what, before, after: before, problem };
    }
    throw problem;
  }
}

/** The folder of this machine's own files: the trash, the state of the hooks. */
export const LOCAL = `${CONTEXT_FOLDER}/${LOCAL_FOLDER}`;

/**
 * Makes the changes of a plan, and removes the folders that are empty then.
 * @returns the steps, with the problems of those that failed.
 */
export async function apply(steps: readonly Step[], files: ProjectFiles): Promise<Step[]> {
  const done: Step[] = [];
  for (const step of steps) {
    done.push(await tryStep(step, files));
  }
  for (const { path, after } of changesOf(done)) {
    if (after === undefined) {
      files.removeEmptyAbove(path);
    }
  }
  return done;
}

async function tryStep(step: Step, files: ProjectFiles): Promise<Step> {
  const { path, before, after } = step;
  try {
    if (before === after) {
      return step;
    }
    if (step.carryOut) {
      await step.carryOut();
    } else if (after === undefined) {
      files.remove(path);
    } else {
      await files.write(path, after);
    }
    return step;
  } catch (problem) {
    if (problem instanceof SentinelError) {
      return { ...step, after: before, problem };
    }
    throw problem;
  }
}

/** The steps that change their file. */
export const changesOf = (steps: readonly Step[]): Step[] =>
  steps.filter(({ before, after }) => before !== after);

/** The steps to show: those that change their file or can't. */
export const notable = (steps: readonly Step[]): Step[] =>
  steps.filter(({ before, after, problem }) => before !== after || problem);
