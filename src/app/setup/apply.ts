/** Carries out plans. A step that fails leaves its file alone, and the others go on. */
import { SentinelError } from "../../ground/core/errors.ts";
import { CONTEXT_FOLDER, LOCAL_FOLDER } from "../../ground/project/context-folder.ts";
import type { Step } from "./plan.ts";
import type { ProjectFiles } from "./project-files.ts";

/** The folder of this machine's own files: the trash, the state of the hooks. */
export const LOCAL = `${CONTEXT_FOLDER}/${LOCAL_FOLDER}`;

/**
 * Makes the changes of a plan, and removes the folders that are empty then.
 * @returns the steps, with the problems of those that failed.
 */
export async function apply(steps: readonly Step[], files: ProjectFiles): Promise<Step[]> {
  const done: Step[] = [];
  for (const step of steps) done.push(await tryStep(step, files));
  for (const { path, after } of changesOf(done))
    if (after === undefined) files.removeEmptyAbove(path);
  return done;
}

async function tryStep(step: Step, files: ProjectFiles): Promise<Step> {
  const { path, before, after } = step;
  try {
    if (before === after) return step;
    if (step.carryOut) await step.carryOut();
    else if (after === undefined) files.remove(path);
    else await files.write(path, after);
    return step;
  } catch (problem) {
    if (problem instanceof SentinelError) return { ...step, after: before, problem };
    throw problem;
  }
}

/** The steps that change their file. */
export const changesOf = (steps: readonly Step[]): Step[] =>
  steps.filter(({ before, after }) => before !== after);

/** The steps to show: those that change their file or can't. */
export const notable = (steps: readonly Step[]): Step[] =>
  steps.filter(({ before, after, problem }) => before !== after || problem);
