import { fieldsOf, known, listOf, textOf } from "./fields.ts";
import type { TaskChange } from "./transcript.ts";

/** As the clients call them; none of these words means two things. */
const STATUSES: Readonly<Record<string, TaskChange["status"]>> = {
  pending: "open",
  blocked: "open",
  in_progress: "doing",
  completed: "done",
  cancelled: "dropped",
  deleted: "dropped",
};

export const statusOf = (status: unknown): TaskChange["status"] => STATUSES[String(status)];

/** @param titled the field of each that says what is to be done: no list has another name for a task. */
export function listedTasks(list: unknown, titled: string): TaskChange[] {
  return listOf(list).flatMap((one) => {
    const fields = fieldsOf(one);
    const title = textOf(fields[titled]);
    return title === undefined ? [] : [{ task: title, title, ...known({ status: statusOf(fields.status) }) }];
  });
}
