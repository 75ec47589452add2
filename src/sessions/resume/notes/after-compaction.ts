/** Summarizes a session's recorded state after a compaction, because the agent's own summary may be wrong. Pure. */
import type { Budget } from "../../../ground/core/budget.ts";
import {
  decisionThing,
  lineOf,
  type Note,
  note,
  pinThing,
  taskThing,
} from "../../answers/render.ts";
import { type BriefEvent, isOwn } from "../../kinds/event.ts";
import { type Decision, decisionsOf } from "../../projections/decisions.ts";
import { type Pin, pinsOf } from "../../projections/pins.ts";
import { isOpen, tasksOf } from "../../projections/tasks.ts";
import { sessionStates, type TouchedFile } from "../session.ts";
import { commandNotes, ownNotes, recordedText } from "./notes.ts";

const TEXT = 200;
const TITLE = 120;
const MOST_FILES = 10;
const MOST_TASKS = 20;
/** Five with the last request. */
const MOST_BEFORE = 4;
const MOST_DECISIONS = 4;
const HEAD =
  "State of this session before compaction, from the session log. If your summary disagrees, trust this.";
const UNREAD = "The last steps before the compaction are still being read and may be missing here.";

/**
 * Undefined if nothing of the session is recorded. @param isRead whether the transcript was read to its end. @param command starts the
 * program.
 */
export function afterCompaction(
  events: readonly BriefEvent[],
  {
    session,
    isRead,
    command,
  }: { readonly session: string; readonly isRead: boolean; readonly command: string },
  budget: Budget,
): string | undefined {
  const isOfSession = (one: BriefEvent | Decision | Pin) => one.session === session && isOwn(one);
  const own = events.filter(isOfSession);
  const [state] = sessionStates(own);
  if (!state?.request) return undefined;
  const decisions = decisionsOf(events).filter(
    (made) => isOfSession(made) && made.status === "active",
  );
  const tasks = tasksOf(own).filter((task) => isOpen(task) || task.contradictedBy !== undefined);
  const pins = pinsOf(events).filter(isOfSession);
  const notes = [
    ...ownNotes(state),
    ...commandNotes(state, TEXT),
    ...fileNotes(state.files),
    ...decisions
      .slice(-MOST_DECISIONS)
      .reverse()
      .map((decision) => lineOf(decisionThing(decision), TEXT)),
    ...state.requestsBefore
      .slice(0, MOST_BEFORE)
      .map(({ id, text }) => note("asked before that", text, id, TEXT)),
    ...tasks.slice(-MOST_TASKS).map((task) => lineOf(taskThing(task), TITLE)),
    ...pins.map((pin) => lineOf(pinThing(pin), TEXT)),
  ];
  const head = `${HEAD} For more: ${command} sessions show ID.`;
  return recordedText(isRead ? head : `${head} ${UNREAD}`, notes, session, budget);
}

/** The last edited files first, because a session reads more than it edits. */
function fileNotes(files: readonly TouchedFile[]): Note[] {
  return files
    .toSorted((a, b) => Number(b.isEdited) - Number(a.isEdited))
    .slice(0, MOST_FILES)
    .map(({ id, path, isEdited }) => note(isEdited ? "file changed" : "file read", path, id, TEXT));
}
