/** Formats tasks, decisions, pins and files as notes. All texts about resuming use these. Pure. */
import { firstWords, present } from "../../../ground/core/text.ts";
import { byWhom, ofWhom } from "../../answers/speakers.ts";
import { shortEventId } from "../../kinds/event.ts";
import type { decisionsOf } from "../../projections/decisions.ts";
import type { Pin } from "../../projections/pins.ts";
import type { Task } from "../../projections/tasks.ts";
import type { TouchedFile } from "../touched-files.ts";
import { type Note, note } from "./notes.ts";

export function taskNote(task: Task, most: number): Note {
  const { status, title, id, person } = task;
  const label = present(
    `task${ofWhom(person)} ${status === "doing" ? "begun" : "open"}`,
    blockersOf(task),
  ).join(", ");
  return note(label, title, id, most);
}

export function blockersOf({ blockedBy, waitsForItself }: Task): string | undefined {
  if (blockedBy.length === 0) return undefined;
  const named = blockedBy
    .map(({ id, title }) => `${shortEventId(id)} "${firstWords(title)}"`)
    .join(", ");
  return `blocked by ${named}${waitsForItself ? ", which waits for it in turn" : ""}`;
}

/** For a closed task that a later summary lists as open. */
export function contradictedTaskNote({ status, title, id, person }: Task, most: number): Note {
  return note(`task${ofWhom(person)} ${status}, though a summary has it as open`, title, id, most);
}

/** Marks the decision if another one contradicts it. */
export function decisionNote(
  { id, decision, question, contestedBy, person }: ReturnType<typeof decisionsOf>[number],
  most: number,
): Note {
  const label = `decided${byWhom(person)}${contestedBy.length > 0 ? ", and contested" : ""}`;
  return note(label, question === undefined ? decision : `${question} ${decision}`, id, most);
}

export function pinNote(pin: Pin, most: number): Note {
  const { id, isOutdated, person } = pin;
  return note(
    `pinned${byWhom(person)}${isOutdated ? ", but superseded since" : ""}`,
    wordsOfPin(pin),
    id,
    most,
  );
}

/** The pinned text, and the note if it differs. */
export function wordsOfPin({ text, note }: Pin): string {
  return note === undefined || note === text ? text : `${text} (${note})`;
}

export function fileNote({ id, path, isEdited }: TouchedFile, most: number): Note {
  return note(isEdited ? "file changed" : "file read", path, id, most);
}
