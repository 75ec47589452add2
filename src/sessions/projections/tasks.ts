/**
 * The tasks of sessions, and how far they are. A later update counts more than an earlier one, and an update more than what a summary
 * says: that is what the agent believed. Pure.
 */
import { type BriefEvent, inTime, sessionKey } from "../kinds/brief-event.ts";
import { identityIn } from "../kinds/event-id.ts";
import { TASK_STATUSES } from "../kinds/task-update.ts";
import { pendingIn } from "../kinds/texts/summary.ts";
import type { Told } from "./superseded.ts";

/** A task as its last update says it: the id, the time and the person are those of that update. */
export interface Task extends Told {
  /** Its id within its session. */
  readonly task: string;
  /** On which it was last updated. */
  readonly branch: string | undefined;
  readonly title: string;
  readonly status: (typeof TASK_STATUSES)[number];
  readonly owner: string | undefined;
  readonly details: string | undefined;
  /** Ids of all its updates. */
  readonly updates: readonly string[];
  /** The last summary that says it is still to do, though an update says it is not. */
  readonly contradictedBy: string | undefined;
}

type Known = Task & { readonly updates: string[] };

/** @param events of any kind, in any order. @returns in the order of their last updates. */
export function tasksOf(events: Iterable<BriefEvent>): Task[] {
  const tasks = new Map<string, Known>();
  const byUpdate = new Map<string, string>();
  const ordered = inTime(events);
  for (const event of ordered) {
    if (event.kind !== "task_update") continue;
    const key = keyOf(event, byUpdate);
    byUpdate.set(identityIn(event.id), key);
    tasks.set(key, updated(tasks.get(key), event));
  }
  const summaries = ordered.filter(({ kind }) => kind === "summary");
  return withContradictions(inTime(tasks.values()), summaries);
}

/** Tasks as some summaries leave them. @param summaries in order of time. */
export function withContradictions(tasks: readonly Task[], summaries: readonly BriefEvent[]): Task[] {
  return tasks.map((task) => {
    const contradictedBy = contradiction(task, summaries);
    return contradictedBy === undefined ? task : { ...task, contradictedBy };
  });
}

export const isOpen = ({ status }: Pick<Task, "status">): boolean => status === "open" || status === "doing";

/** An update that refers to an earlier one is of the same task, also from another session. */
function keyOf(event: BriefEvent, byUpdate: ReadonlyMap<string, string>): string {
  const { id, content, refs } = event;
  const referred = refs.map((ref) => byUpdate.get(identityIn(ref))).find((key) => key !== undefined);
  return referred ?? `${sessionKey(event)} ${content.task ?? content.title ?? id}`;
}

/** The updates stay one list, to which each adds its own: there may be very many. */
function updated(before: Known | undefined, { id, ts, session, person, place, content }: BriefEvent): Known {
  const task = content.task ?? content.title ?? id;
  const status = TASK_STATUSES.find((known) => known === content.status);
  const updates = before?.updates ?? [];
  updates.push(id);
  return {
    task: before?.task ?? task,
    session: before?.session ?? session,
    person,
    branch: place?.branch,
    title: content.title ?? before?.title ?? `task ${task}`,
    status: status ?? before?.status ?? "open",
    owner: content.owner ?? before?.owner,
    details: content.details ?? before?.details,
    id,
    ts,
    updates,
    contradictedBy: undefined,
  };
}

function contradiction({ session, title, status }: Task, summaries: readonly BriefEvent[]): string | undefined {
  if (isOpen({ status })) return undefined;
  return summaries.findLast(
    (summary) => summary.session === session && pendingIn(summary.content.text ?? "").includes(title),
  )?.id;
}
