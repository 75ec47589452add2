/** Finds the task of an update. To update another session's task, the caller gives the id of one of its updates. Pure. */
import { type Content, isOwn, readEventId, readShortEventId } from "../kinds/event.ts";
import { tasksOf } from "../projections/tasks.ts";
import { inShort, type Named, refused, type Situation } from "./statement.ts";

/** The given text if it's an event id and not a task name. */
export function namedTask(task: unknown): string | undefined {
  return typeof task === "string" && (readEventId(task) ?? readShortEventId(task)) !== undefined
    ? task
    : undefined;
}

/** The id, or that of a later update of the same task if the ledger dropped this one. Task lookups only see the ledger. */
export function inLedger({ id, task }: Named, ledger: Situation["ledger"]): string {
  const tasks = tasksOf(ledger);
  if (tasks.some(({ updates }) => updates.includes(id))) return id;
  return (
    tasks.find((known) => known.session === task?.session && known.task === task.task)?.id ?? id
  );
}

/** The id of the last update of this session's task with that name. */
export const ownTask = (
  task: unknown,
  { session, ledger }: Pick<Situation, "session" | "ledger">,
): string | undefined =>
  tasksOf(ledger.filter(isOwn)).find((known) => known.session === session && known.task === task)
    ?.id;

/** @throws SentinelError `bad_argument` for a new task without a title. */
export function taskContent(
  { task, ...content }: Content,
  { session, named, ledger }: Pick<Situation, "session" | "named" | "ledger">,
): { content: Content; refs: string[] } {
  const id = namedTask(task);
  if (id !== undefined) {
    const update = named.get(id);
    if (update?.kind === "task_update") return { content, refs: [inLedger(update, ledger)] };
    throw refused(
      `The session log has no task under ${inShort(id)}.`,
      "Give the id of one of its updates, or a title.",
    );
  }
  if (content.title === undefined && ownTask(task, { session, ledger }) === undefined)
    throw refused(
      task === undefined
        ? "A task_update needs a task."
        : `This session has no task ${inShort(String(task))} yet.`,
      "Add a title for a new task. Name a task of another session by its id, evt_….",
    );
  return { content: { task, ...content }, refs: [] };
}
