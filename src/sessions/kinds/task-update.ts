/** A task and its status. */
import { eventKind, shortened } from "./kind.ts";

export const TASK_STATUSES = ["open", "doing", "done", "dropped"] as const;

export const taskUpdate = eventKind({
  name: "task_update",
  fields: {
    /** Identifies the task within its session. */
    task: "text",
    title: "text",
    status: "text",
    owner: "text",
    details: "text",
    /** Ids of updates of the tasks that block it. */
    blocked_by: "ids",
  },
  form: {
    name: "A task_update",
    needs: [],
    may: ["task", "title", "status", "owner", "details", "blocked_by"],
    oneOf: { status: TASK_STATUSES },
  },
  searched: ["title", "details"],
  brief: ({ content }) =>
    shortened(content, { task: 200, title: 200, status: 40, owner: 80, blocked_by: [20, 100] }),
  slots({ id, content }) {
    const name = content.task ?? id;
    const said = (["status", "title", "owner", "blocked_by"] as const).filter(
      (field) => content[field] !== undefined,
    );
    return [
      ...said.map((field) => ({ list: `task ${field}`, name, most: 80 })),
      // Keeps every update, because a later one may refer to it.
      { list: "task_update", name: id, most: 80 },
    ];
  },
  mostInLedger: 400,
  importance: 0.6,
});
