/**
 * Notes from the session log: "Where we stopped" for a starting session, and its own state for a compacted one. Each note is one line and
 * ends with the id that shows the whole event. Pure.
 */
import { type Budget, pack, without } from "../../../ground/core/budget.ts";
import { CLOSE, fenced, OPEN, present } from "../../../ground/core/text.ts";
import { DAY_MS, dateOf } from "../../../ground/core/time.ts";
import {
  byWhom,
  decisionThing,
  lineOf,
  type Note,
  nameOf,
  note,
  ofWhom,
  pinLine,
  quoted,
  shortSession,
  taskThing,
} from "../../answers/render.ts";
import { type BriefEvent, isOwn, ownFirst, shortEventId } from "../../kinds/event.ts";
import { type Decision, decisionsOf } from "../../projections/decisions.ts";
import { type Pin, pinsOf } from "../../projections/pins.ts";
import { endOf as endOfTurn, type Turn } from "../../projections/sessions.ts";
import { isOpen, type Task, tasksOf } from "../../projections/tasks.ts";
import {
  type CommandRun,
  filesChanged,
  isFaded,
  type Reply,
  type RequestSaid,
  type SessionState,
  sessionStates,
  type TouchedFile,
  tasksLeft,
} from "../session.ts";

export interface Start {
  readonly session: string;
  /** The branch of the starting session. Undefined without git. */
  readonly branch: string | undefined;
  /** In ms since 1970. */
  readonly now: number;
  /** The command that starts the command line here. */
  readonly command: string;
}

/** The limits at a start. */
const DECISION_DAYS = 7;
const MOST_TASKS_AT_START = 6;
const MOST_DECISIONS_AT_START = 3;
const MOST_PINS_AT_START = 3;
const FILES_A_LINE = 3;
/** The most characters of each kind of text. */
const REQUEST_AT_START = 220;
const REPLY_AT_START = 160;
const QUESTION_AT_START = 240;
const SHORT_AT_START = 120;
/** Applies to a command and to its output. */
const COMMAND_AT_START = 90;

/**
 * Undefined if there's nothing to show. The starting session isn't shown, but its events still supersede or settle those of earlier
 * sessions.
 */
export function whereWeStopped(
  events: readonly BriefEvent[],
  start: Start,
  budget: Budget,
): string | undefined {
  const isEarlier = ({ session }: { readonly session: string }) => session !== start.session;
  const { here, elsewhere } = askedBefore(events, start);
  const [last] = ownFirst(here);
  const open = tasksLeft(tasksOf(events)).filter(
    (task) => isEarlier(task) && isOnBranch(task, start) && !isFaded(task, here),
  );
  const isOfLast = ({ session }: Task) => session === last?.session;
  const notesOf = (is: (task: Task) => boolean) =>
    open
      .filter(is)
      .slice(0, MOST_TASKS_AT_START)
      .map((task) => lineOf(taskThing(task), SHORT_AT_START));
  const [other] = here.length === 0 ? ownFirst(elsewhere) : [];
  const isBegun = ({ status }: Task) => status === "doing";
  const toBegin = notesOf((task) => isOfLast(task) && !isBegun(task));
  const place = (branch: string | undefined) =>
    branch === undefined ? "" : `on branch ${quoted(branch, SHORT_AT_START)}`;
  const notes = present(
    ...notesOf((task) => isOfLast(task) && isBegun(task)),
    ...lastNotes(here, toBegin),
    other && askedNote(`${place(other.branch)}, asked`, other, REPLY_AT_START),
    ...pinsOf(events)
      .filter(isEarlier)
      .slice(-MOST_PINS_AT_START)
      .map((pin) => pinLine(pin, REPLY_AT_START)),
    ...notesOf((task) => !isOfLast(task)),
    ...recentDecisions(events, start),
  );
  const head = `Where we stopped ${place(start.branch)}`.trimEnd();
  return recordedText(
    `${head}; ${start.command} sessions show ID shows more.`,
    notes,
    start.session,
    budget,
  );
}

/** Earlier sessions with a request, on this branch and on others. */
export function askedBefore(
  events: readonly BriefEvent[],
  start: Pick<Start, "session" | "branch">,
): { readonly here: readonly SessionState[]; readonly elsewhere: readonly SessionState[] } {
  const asked = sessionStates(events).filter(
    (state) => state.session !== start.session && state.request !== undefined,
  );
  return {
    here: asked.filter((state) => isOnBranch(state, start)),
    elsewhere: asked.filter((state) => !isOnBranch(state, start)),
  };
}

/** Some clients don't record a branch. */
const isOnBranch = (
  { branch }: Pick<SessionState, "branch">,
  start: Pick<Start, "branch">,
): boolean => branch === undefined || branch === start.branch;

/**
 * Notes on the end of the reader's last session and on later requests by others. Without a session of the reader's, notes on the end of the
 * others' last one. @param asked the last ended first.
 */
export function lastNotes(asked: readonly SessionState[], tasks: readonly Note[] = []): Note[] {
  const [last] = ownFirst(asked);
  if (last === undefined) {
    return [];
  }
  const [since] = asked;
  return present(
    ...endNotes(last, tasks),
    since !== last && since && askedNote("since then asked", since, SHORT_AT_START),
  );
}

function askedNote(
  label: string,
  { request, ended, person }: SessionState,
  most: number,
): Note | undefined {
  return request && requestNote(`${label}${byWhom(person)}, until ${dateOf(ended)}`, request, most);
}

/** How a session ended: the request, open questions, the reply and unsettled failures. */
function endNotes(state: SessionState, tasks: readonly Note[]): Note[] {
  const { waiting, turn, reply, failing, person, last } = state;
  const said = reply && replyNote(reply, state);
  const isQuestion = reply?.question !== undefined;
  const where = person === undefined ? "" : ` in the session${ofWhom(person)}`;
  const failed = failing && outcomeNote(`not settled${where}`, failing, COMMAND_AT_START);
  const isAnswered = turn.state === "answered";
  const ending = waiting?.what === "question" ? undefined : endingOf(turn, person);
  return present(
    askedNote("asked", state, REQUEST_AT_START),
    waiting &&
      note(waitingLabel(waiting.what, person), waiting.text, waiting.id, QUESTION_AT_START),
    ending !== undefined && { text: ending, ref: last },
    ...tasks,
    isQuestion && said,
    // A final reply already covers earlier failures, so they come after it. A reply in the middle of work doesn't.
    !isAnswered && failed,
    ...uncommittedNotes(state),
    !isQuestion && said,
    isAnswered && failed,
  );
}

/** Puts several files on a line, which takes half the room. */
function uncommittedNotes(state: SessionState): Note[] {
  const label = `changed${byWhom(state.person)}${state.branch === undefined ? "" : ", not committed"}`;
  return filesChanged(state).flatMap(({ id }, at, files) => {
    const line = files.slice(at, at + FILES_A_LINE).map(({ path }) => quoted(path, SHORT_AT_START));
    return at % FILES_A_LINE > 0
      ? []
      : [note(label, line.join(", "), id, FILES_A_LINE * SHORT_AT_START)];
  });
}

function waitingLabel(what: "question" | "plan", person: string | undefined): string {
  if (what === "plan") {
    return `plan${ofWhom(person)} not accepted in that session`;
  }
  return `the agent${ofWhom(person)} asks, without an answer`;
}

/** A session without a recorded end may still be running, so the wording must be true in both cases. */
function endingOf(turn: Turn, person: string | undefined): string | undefined {
  const user = person === undefined ? "the user" : nameOf(person);
  const agent = `the agent${ofWhom(person)}`;
  const prefix = turn.reason === undefined ? "last recorded" : "ended";
  switch (endOfTurn(turn)) {
    case "interrupted":
      return `ended: ${user} stopped the agent`;
    case "cleared":
      return `ended: ${user} cleared the conversation`;
    case "broken off":
      return turn.state === "asked"
        ? `${prefix}: before ${agent} replied`
        : `${prefix}: while ${agent} was at work`;
    case "finished":
      return undefined;
  }
}

/** Prefers the question at the end, because it's more informative than the first words. */
function replyNote({ id, text, question, isLast }: Reply, { turn, person }: SessionState): Note {
  const agent = `${isLast ? "" : "before that, "}the agent${ofWhom(person)}`;
  if (question !== undefined) {
    return note(`${agent} asked`, question, id, QUESTION_AT_START);
  }
  return note(
    `${agent} ${isLast && turn.state !== "answered" ? "said last" : "replied"}`,
    text,
    id,
    REPLY_AT_START,
  );
}

/** Recent decisions on this branch, without plans, which sessions have already carried out. */
function recentDecisions(events: readonly BriefEvent[], { now, branch, session }: Start): Note[] {
  const oldest = new Date(now - DECISION_DAYS * DAY_MS).toISOString();
  return decisionsOf(events)
    .filter((made) => made.session !== session && made.branch === branch && made.ts >= oldest)
    .filter(({ status, isPlan }) => status === "active" && !isPlan)
    .slice(-MOST_DECISIONS_AT_START)
    .reverse()
    .map((decision) => lineOf(decisionThing(decision), REPLY_AT_START));
}

/** The limits after a compaction. */
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

/** The most characters of a request, of a short one after it, and of other texts, except at a start. */
const REQUEST = 500;
const THEN = 40;
const TEXT = 200;

/** A session's last request, what waits for an answer, its child agents and the last reply. */
export function ownNotes({ request, waiting, running, reply, person }: SessionState): Note[] {
  return present(
    request && requestNote(`asked${byWhom(person)}`, request, REQUEST),
    waiting && note(`${waiting.what} without an answer`, waiting.text, waiting.id, TEXT),
    ...running.map(({ id, text }) => note("child agent still running", text, id, TEXT)),
    reply && note("said last", reply.question ?? reply.text, reply.id, TEXT),
  );
}

/** A request and the last short request after it. */
function requestNote(
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

const ENDINGS: Readonly<Record<string, string>> = {
  refused_by_user: "was refused by the user",
  cascade: "was not run, because another call failed",
  stopped: "was stopped",
  goes_on: "was left running in the background",
};

/** How a command ended. The wording is an outcome, because agents repeat a failed command that looks like a call. */
function outcomeNote(
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

/** Packs notes until the room is full, the most important first. Undefined without any. @param session its whole id. */
function recordedText(
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
