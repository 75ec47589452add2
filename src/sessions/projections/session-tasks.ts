/** How far the tasks are that each session worked on, wherever they were begun or done. Pure. */
import type { BriefEvent } from "../kinds/brief-event.ts";
import { identityIn } from "../kinds/event-id.ts";
import { tasksOf } from "./tasks.ts";

export interface TaskCount {
  readonly done: number;
  readonly all: number;
}

/** @param ledger all that is recorded of tasks, in any order. @returns by session; those without a task are missing. */
export function tasksBySession(ledger: readonly BriefEvent[]): ReadonlyMap<string, TaskCount> {
  const sessions = new Map(ledger.map(({ id, session }) => [identityIn(id), session]));
  const counts = new Map<string, TaskCount>();
  for (const { updates, status } of tasksOf(ledger))
    for (const session of new Set(updates.map((id) => sessions.get(identityIn(id)) ?? ""))) {
      const { done, all } = counts.get(session) ?? { done: 0, all: 0 };
      counts.set(session, { done: done + (status === "done" ? 1 : 0), all: all + 1 });
    }
  return counts;
}
