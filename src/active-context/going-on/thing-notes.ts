/** Notes on tasks, decisions, pins and files, as every text that goes on from the record words them. Pure. */
import type { decisionsOf } from "../../events/projections/decisions.ts";
import type { TouchedFile } from "../../events/projections/going-on/session.ts";
import type { Pin } from "../../events/projections/pins.ts";
import type { Task } from "../../events/projections/tasks.ts";
import { type Note, note } from "./notes.ts";

export function taskNote({ status, title, id }: Task, most: number): Note {
  return note(status === "doing" ? "task begun" : "task open", title, id, most);
}

/** An update says that it is not to do any more, and a later summary that it is. */
export function contradictedTaskNote({ status, title, id }: Task, most: number): Note {
  return note(`task ${status}, though a summary has it as open`, title, id, most);
}

/** Where two contradict each other, each says so. */
export function decisionNote(
  { id, decision, question, contestedBy }: ReturnType<typeof decisionsOf>[number],
  most: number,
): Note {
  const label = contestedBy.length > 0 ? "decided, and contested" : "decided";
  return note(label, question === undefined ? decision : `${question} ${decision}`, id, most);
}

export function pinNote({ id, text, isOutdated }: Pin, most: number): Note {
  return note(isOutdated ? "pinned, but superseded since" : "pinned", text, id, most);
}

export function fileNote({ id, path, isEdited }: TouchedFile, most: number): Note {
  return note(isEdited ? "file changed" : "file read", path, id, most);
}
