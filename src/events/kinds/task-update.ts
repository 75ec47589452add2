/** What is to be done, and how far it is. */
import { eventKind } from "./kind.ts";

export const TASK_STATUSES = ["open", "doing", "done", "dropped"] as const;

export const taskUpdate = eventKind({
  name: "task_update",
  fields: {
    /** Its name within its session. */
    task: "text",
    title: "text",
    status: "text",
    owner: "text",
    details: "text",
  },
  searched: ["title", "details"],
  importance: 0.6,
});
