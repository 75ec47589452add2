/** One-line notes from the session log. Each ends with the id that shows the whole event. Pure. */
import { type Budget, pack, without } from "../../../ground/core/budget.ts";
import { CLOSE, fenced, OPEN, present } from "../../../ground/core/text.ts";
import {
  byWhom,
  decisionThing,
  lineOf,
  type Note,
  note,
  pinLine,
  quoted,
  shortSession,
  taskThing,
} from "../../answers/render.ts";
import { type BriefEvent, isOwn, shortEventId } from "../../kinds/event.ts";
import { type Decision, decisionsOf } from "../../projections/decisions.ts";
import { type Pin, pinsOf } from "../../projections/pins.ts";
import { isOpen, tasksOf } from "../../projections/tasks.ts";
import {
  type CommandRun,
  type RequestSaid,
  type SessionState,
  sessionStates,
  type TouchedFile,
} from "../session.ts";

/** The most characters of a request, of a short one after it, and of other texts. */
const REQUEST = 500;
const THEN = 40;
const TEXT = 200;

/** Packs notes until the room is full, the most important first. Undefined without any. @param session its whole id. */
export function recordedText(
  head: string,
  notes: readonly Note[],
  session: string,
  budget: Budget,
): string | undefined {
  const end = `session: ${shortSession(session)}`;
  const room = without(budget, [OPEN, head, fenced([]), CLOSE, end].join("\n"));
  const { texts } = pack(notes, room, ({ text }) => text);
  return texts.length === 0 ? undefined : [OPEN, head, fenced(texts), CLOSE, end].join("\n");
}

/** A request and the last short request after it. */
export function requestNote(
  label: string,
  { id, text, after, isQuoted }: RequestSaid,
  most: number,
): Note {
  const then = after === undefined ? "" : ` (then: ${quoted(after, THEN)})`;
  const by = isQuoted ? ", as the agent quotes" : "";
  return {
    text: `${label}${by}: ${quoted(text, most - then.length)}${then} (${shortEventId(id)})`,
    ref: id,
  };
}

/** A session's last request, what waits for an answer, its child agents and the last reply. */
export function ownNotes({ request, waiting, running, reply, person }: SessionState): Note[] {
  return present(
    request && requestNote(`asked${byWhom(person)}`, request, REQUEST),
    waiting && note(`${waiting.what} without an answer`, waiting.text, waiting.id, TEXT),
    ...running.map(({ id, text }) => note("child agent still running", text, id, TEXT)),
    reply && note("said last", reply.question ?? reply.text, reply.id, TEXT),
  );
}

const ENDINGS: Readonly<Record<string, string>> = {
  refused_by_user: "was refused by the user",
  cascade: "was not run, because another call failed",
  stopped: "was stopped",
  goes_on: "was left running in the background",
};

/** How a command ended. The wording is an outcome, because agents repeat a failed command that looks like a call. */
export function outcomeNote(
  label: string,
  { id, command, outcome, line }: CommandRun,
  most: number,
): Note {
  const end = outcome === undefined ? "ended well" : (ENDINGS[outcome] ?? "failed");
  const printed = line === "" ? "" : `: ${quoted(line, most)}`;
  const text = `${label}: \`${quoted(command, most).replaceAll("`", "'")}\` ${end}${printed} (${shortEventId(id)})`;
  return { text, ref: id };
}

/** The last command, and the last unsettled failure if it's another command. */
export function commandNotes({ lastCommand: last, failing }: SessionState, most: number): Note[] {
  return present(
    last && outcomeNote("last command", last, most),
    failing && failing.id !== last?.id && outcomeNote("not settled", failing, most),
  );
}

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
  if (!state?.request) {
    return undefined;
  }
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
    ...pins.map((pin) => pinLine(pin, TEXT)),
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
