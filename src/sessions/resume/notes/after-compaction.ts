/** Summarizes a session's recorded state after a compaction, because the agent's own summary may be wrong. Pure. */
import type { Budget } from "../../../ground/core/budget.ts";
import { present } from "../../../ground/core/text.ts";
import {
  decisionThing,
  lineOf,
  type Note,
  note,
  pinLine,
  taskThing,
} from "../../answers/render.ts";
import { type BriefEvent, isOwn } from "../../kinds/event.ts";
import { type Decision, decisionsOf } from "../../projections/decisions.ts";
import { type Pin, pinsOf } from "../../projections/pins.ts";
import { isOpen, tasksOf } from "../../projections/tasks.ts";
import { sessionStates } from "../session.ts";
import type { TouchedFile } from "../touched-files.ts";
import { commandNotes, recordedText, requestNote } from "./notes.ts";

const REQUEST = 500;
const TEXT = 200;
const TITLE = 120;
const MOST_FILES = 10;
const FIRST_FILES = 4;
const MOST_TASKS = 20;
/** Five with the last request. */
const MOST_BEFORE = 4;
const MOST_DECISIONS = 4;
const FIRST_DECISIONS = 2;
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
  const { request, requestsBefore, reply, running } = state;
  const files = inFlight(state.files);
  const tasks = tasksOf(own);
  const decisions = decisionsOf(events)
    .filter((made) => isOfSession(made) && made.status === "active")
    .slice(-MOST_DECISIONS)
    .reverse()
    .map((decision) => lineOf(decisionThing(decision), TEXT));
  const notes = present(
    requestNote("asked", request, REQUEST),
    reply?.question !== undefined && note("you asked", reply.question, reply.id, TEXT),
    ...running.map(({ id, text }) => note("child agent still running", text, id, TEXT)),
    ...commandNotes(state, TEXT),
    ...files.slice(0, FIRST_FILES),
    ...decisions.slice(0, FIRST_DECISIONS),
    ...requestsBefore
      .slice(0, MOST_BEFORE)
      .map(({ id, text }) => note("asked before that", text, id, TEXT)),
    ...tasks
      .filter(isOpen)
      .slice(-MOST_TASKS)
      .map((task) => lineOf(taskThing(task), TITLE)),
    ...tasks
      .filter(({ contradictedBy }) => contradictedBy !== undefined)
      .map((task) => lineOf(taskThing(task), TITLE)),
    ...decisions.slice(FIRST_DECISIONS),
    ...pinsOf(events)
      .filter(isOfSession)
      .map((pin) => pinLine(pin, TEXT)),
    ...files.slice(FIRST_FILES),
    reply && reply.question === undefined && note("you said last", reply.text, reply.id, TEXT),
  );
  const head = `${HEAD} For more: ${command} sessions show ID.`;
  return recordedText(isRead ? head : `${head} ${UNREAD}`, notes, session, budget);
}

/** Edited and read files, the last touched first. Includes a few edited files even if many were read since. */
function inFlight(files: readonly TouchedFile[]): Note[] {
  const last = files.slice(0, MOST_FILES);
  const edited = files.filter((file) => file.isEdited).slice(0, MOST_FILES / 2);
  return [...new Set([...edited.slice(0, 2), ...last, ...edited])]
    .slice(0, MOST_FILES)
    .map(({ id, path, isEdited }) => note(isEdited ? "file changed" : "file read", path, id, TEXT));
}
