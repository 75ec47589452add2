/** The open tasks and changed files that sessions left. Pure. */
import { ownFirst } from "../kinds/event.ts";
import { isOpen, type Task } from "../projections/tasks.ts";
import type { SessionState } from "./session.ts";
import type { TouchedFile } from "./touched-files.ts";

const MOST_FILES = 12;

/** Open tasks, the reader's own first, then the last changed. A task that a later session took up counts only there. */
export function tasksLeft(tasks: readonly Task[]): Task[] {
  const taken = new Map<string, Task>();
  for (const task of tasks)
    if ((taken.get(task.title)?.ts ?? "") <= task.ts) taken.set(task.title, task);
  return ownFirst(
    lastFirst(
      tasks.filter((task) => isOpen(task) && taken.get(task.title)?.session === task.session),
    ),
  );
}

const lastFirst = (tasks: readonly Task[]): Task[] =>
  [...tasks].sort((a, b) => (a.ts < b.ts ? 1 : -1));

/** Whether an open task belongs to an earlier session whose changes have all been committed. @param states the last ended first. */
export function isFaded({ session, branch }: Task, states: readonly SessionState[]): boolean {
  const here = ownFirst(
    states.filter((state) => state.branch === branch && state.request !== undefined),
  );
  const state = here.slice(1).find((state) => state.session === session);
  return (
    state?.files.some(({ isCommitted }) => isCommitted) === true && filesChanged(state).length === 0
  );
}

/** Edited files without a later commit, the last touched first. */
export function filesChanged({ files }: SessionState): readonly TouchedFile[] {
  return files.filter(({ isEdited, isCommitted }) => isEdited && !isCommitted).slice(0, MOST_FILES);
}
