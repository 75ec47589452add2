/** A task and its status. */
import { eventKind } from "./kind.ts";

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
  slots({ id, content }) {
    const name = content.task ?? id;
    const said = (["status", "title", "owner", "details", "blocked_by"] as const).filter(
      (field) => content[field] !== undefined,
    );
    return [
      ...said.map((field) => ({ list: `task ${field}`, name, most: 400 })),
      // Keeps every update, because a later one may refer to it.
      { list: "task_update", name: id, most: 400 },
    ];
  },
  isInLedger: true,
  importance: 0.6,
});
