/** Tasks and their status. The latest update overrides any summary. Pure. */
import { type BriefEvent, identityIn, inTime, sessionKey } from "../kinds/event.ts";
import { textsIn } from "../kinds/kind.ts";
import { TASK_STATUSES } from "../kinds/task-update.ts";
import { pendingIn } from "../kinds/texts/summary.ts";

/** A task in its last known state. Id, time and person are those of its last update. */
export interface Task extends Pick<BriefEvent, "id" | "ts" | "session" | "person"> {
  /** Its id within its session. */
  readonly task: string;
  /** The branch of its last update. */
  readonly branch: string | undefined;
  readonly title: string;
  readonly status: (typeof TASK_STATUSES)[number];
  readonly owner: string | undefined;
  readonly details: string | undefined;
  /** The open tasks that block it, with their current titles. */
  readonly blockedBy: readonly { readonly id: string; readonly title: string }[];
  /** Ids of all its updates, the earliest first. */
  readonly updates: readonly string[];
  /** Id of the last summary that lists it as open, although an update closed it. */
  readonly contradictedBy: string | undefined;
}

/** @param events of any kind, in any order. @returns in the order of their last updates. */
export function tasksOf(events: Iterable<BriefEvent>): Task[] {
  const updates = new Map<string, BriefEvent[]>();
  const byUpdate = new Map<string, string>();
  const ordered = inTime(events);
  for (const event of ordered) {
    if (event.kind !== "task_update") {
      continue;
    }
    const key = keyOf(event, byUpdate);
    byUpdate.set(identityIn(event.id), key);
    const known = updates.get(key);
    if (known) {
      known.push(event);
    } else {
      updates.set(key, [event]);
    }
  }
  const summaries = ordered.filter(({ kind }) => kind === "summary");
  const tasks = inTime([...updates.values()].map(taskOf));
  const open = new Map(
    tasks
      .filter(isOpen)
      .flatMap((task) => task.updates.map((id) => [identityIn(id), task] as const)),
  );
  return withContradictions(
    tasks.map((task) => ({
      ...task,
      blockedBy: [...new Set(blockersOf(task, open))].map(({ id, title }) => ({ id, title })),
    })),
    summaries,
  );
}

/** @param open the open tasks, by the identity of each of their updates. */
function blockersOf({ blockedBy }: Task, open: ReadonlyMap<string, Task>): Task[] {
  return blockedBy.flatMap(({ id }) => open.get(identityIn(id)) ?? []);
}

/** Marks tasks that a summary contradicts. @param summaries in order of time. */
export function withContradictions(
  tasks: readonly Task[],
  summaries: readonly BriefEvent[],
): Task[] {
  return tasks.map((task) => {
    const contradictedBy = contradiction(task, summaries);
    return contradictedBy === undefined ? task : { ...task, contradictedBy };
  });
}

export const isOpen = ({ status }: Pick<Task, "status">): boolean =>
  status === "open" || status === "doing";

/** The key of the task. An update that refers to an earlier one belongs to the same task, even in another session. */
function keyOf(event: BriefEvent, byUpdate: ReadonlyMap<string, string>): string {
  const { id, content, refs } = event;
  const referred = refs
    .map((ref) => byUpdate.get(identityIn(ref)))
    .find((key) => key !== undefined);
  return referred ?? `${sessionKey(event)} ${content.task ?? content.title ?? id}`;
}

/** @param updates in order of time. */
function taskOf(updates: readonly BriefEvent[]): Task {
  const first = updates[0] as BriefEvent;
  const last = updates.at(-1) as BriefEvent;
  const lastSaid = <Said>(saidIn: (content: BriefEvent["content"]) => Said | undefined) =>
    updates.map(({ content }) => saidIn(content)).findLast((said) => said !== undefined);
  const task = first.content.task ?? first.content.title ?? first.id;
  return {
    task,
    session: first.session,
    person: last.person,
    branch: last.place?.branch,
    title: lastSaid(({ title }) => title) ?? `task ${task}`,
    status: lastSaid(({ status }) => TASK_STATUSES.find((known) => known === status)) ?? "open",
    owner: lastSaid(({ owner }) => owner),
    details: lastSaid(({ details }) => details),
    blockedBy: textsIn(lastSaid(({ blocked_by }) => blocked_by)).map((id) => ({ id, title: "" })),
    id: last.id,
    ts: last.ts,
    updates: updates.map(({ id }) => id),
    contradictedBy: undefined,
  };
}

function contradiction(
  { session, title, status }: Task,
  summaries: readonly BriefEvent[],
): string | undefined {
  if (isOpen({ status })) {
    return undefined;
  }
  return summaries.findLast(
    (summary) =>
      summary.session === session && pendingIn(summary.content.text ?? "").includes(title),
  )?.id;
}
