/** "Where we stopped": notes from earlier sessions for a starting one. Pure. */
import type { Budget } from "../../../ground/core/budget.ts";
import { present } from "../../../ground/core/text.ts";
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
  taskThing,
} from "../../answers/render.ts";
import { type BriefEvent, ownFirst } from "../../kinds/event.ts";
import { decisionsOf } from "../../projections/decisions.ts";
import { pinsOf } from "../../projections/pins.ts";
import { endOf as endOfTurn, type Turn } from "../../projections/progress.ts";
import { type Task, tasksOf } from "../../projections/tasks.ts";
import {
  filesChanged,
  isFaded,
  type Reply,
  type SessionState,
  sessionStates,
  tasksLeft,
} from "../session.ts";
import { outcomeNote, recordedText, requestNote } from "./notes.ts";

export interface Start {
  readonly session: string;
  /** The branch of the starting session. Undefined without git. */
  readonly branch: string | undefined;
  /** In ms since 1970. */
  readonly now: number;
  /** The command that starts the command line here. */
  readonly command: string;
}

const DECISION_DAYS = 7;
const MOST_TASKS = 6;
const MOST_DECISIONS = 3;
const MOST_PINS = 3;
const FILES_A_LINE = 3;
/** The most characters of each kind of text. */
const REQUEST = 220;
const REPLY = 160;
const QUESTION = 240;
const SHORT = 120;
/** Applies to a command and to its output. */
const COMMAND = 90;

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
      .slice(0, MOST_TASKS)
      .map((task) => lineOf(taskThing(task), SHORT));
  const [other] = here.length === 0 ? ownFirst(elsewhere) : [];
  const isBegun = ({ status }: Task) => status === "doing";
  const toBegin = notesOf((task) => isOfLast(task) && !isBegun(task));
  const place = (branch: string | undefined) =>
    branch === undefined ? "" : `on branch ${quoted(branch, SHORT)}`;
  const notes = present(
    ...notesOf((task) => isOfLast(task) && isBegun(task)),
    ...lastNotes(here, toBegin),
    other && askedNote(`${place(other.branch)}, asked`, other, REPLY),
    ...pinsOf(events)
      .filter(isEarlier)
      .slice(-MOST_PINS)
      .map((pin) => pinLine(pin, REPLY)),
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
    since !== last && since && askedNote("since then asked", since, SHORT),
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
  const failed = failing && outcomeNote(`not settled${where}`, failing, COMMAND);
  const isAnswered = turn.state === "answered";
  const ending = waiting?.what === "question" ? undefined : endingOf(turn, person);
  return present(
    askedNote("asked", state, REQUEST),
    waiting && note(waitingLabel(waiting.what, person), waiting.text, waiting.id, QUESTION),
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
    const line = files.slice(at, at + FILES_A_LINE).map(({ path }) => quoted(path, SHORT));
    return at % FILES_A_LINE > 0 ? [] : [note(label, line.join(", "), id, FILES_A_LINE * SHORT)];
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
    return note(`${agent} asked`, question, id, QUESTION);
  }
  return note(
    `${agent} ${isLast && turn.state !== "answered" ? "said last" : "replied"}`,
    text,
    id,
    REPLY,
  );
}

/** Recent decisions on this branch, without plans, which sessions have already carried out. */
function recentDecisions(events: readonly BriefEvent[], { now, branch, session }: Start): Note[] {
  const oldest = new Date(now - DECISION_DAYS * DAY_MS).toISOString();
  return decisionsOf(events)
    .filter((made) => made.session !== session && made.branch === branch && made.ts >= oldest)
    .filter(({ status, isPlan }) => status === "active" && !isPlan)
    .slice(-MOST_DECISIONS)
    .reverse()
    .map((decision) => lineOf(decisionThing(decision), REPLY));
}
