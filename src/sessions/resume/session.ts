/** The state of a session that you need to resume it, with the files it touched and the work it left open. Pure. */
import { groupBy } from "../../ground/core/collections.ts";
import { compare } from "../../ground/core/text.ts";
import {
  type BriefEvent,
  identityIn,
  inTime,
  isOfCommandLine,
  ownFirst,
  sessionKey,
} from "../kinds/event.ts";
import { isOfChildAgent, isQuoted, pathsIn, textsIn } from "../kinds/kind.ts";
import { isFromPerson } from "../kinds/message.ts";
import { COMMIT, commandSignatures, isAmong } from "../kinds/texts/command-lines.ts";
import { isCommandAlone, isRealRequest } from "../kinds/texts/requests.ts";
import { outcomeOf } from "../kinds/tool-result.ts";
import { follow, NO_TURN, type Turn, turnAfter, type Unsettled } from "../projections/sessions.ts";
import { isOpen, type Task } from "../projections/tasks.ts";

export interface SessionState {
  readonly session: string;
  /** Undefined for the reader's own. */
  readonly person: string | undefined;
  /** The last known branch. */
  readonly branch: string | undefined;
  /** Id and time (ISO 8601) of its last event. */
  readonly last: string;
  readonly ended: string;
  /** The last real request, if any. */
  readonly request: RequestSaid | undefined;
  /** Earlier real requests, the last first. */
  readonly requestsBefore: readonly SaidText[];
  readonly reply: Reply | undefined;
  readonly waiting: Unanswered | undefined;
  /** The state at the end. */
  readonly turn: Turn;
  readonly lastCommand: CommandRun | undefined;
  /** The last unsettled failure since that request. */
  readonly failing: CommandRun | undefined;
  /** The last touched first. */
  readonly files: readonly TouchedFile[];
  /** Child agents that haven't ended, with their tasks. */
  readonly running: readonly SaidText[];
}

interface SaidText {
  /** The event's id. */
  readonly id: string;
  readonly text: string;
}

export interface RequestSaid extends SaidText {
  /** A short request that came after it. */
  readonly after: string | undefined;
  readonly isQuoted: boolean;
}

export interface Reply extends SaidText {
  readonly question: string | undefined;
  /** Whether no request came after it. */
  readonly isLast: boolean;
}

/** A question or plan of the agent that the user hasn't answered or accepted. */
interface Unanswered extends SaidText {
  readonly what: "question" | "plan";
}

export interface CommandRun {
  /** The event's id. */
  readonly id: string;
  readonly command: string;
  /** Undefined for success. */
  readonly outcome: string | undefined;
  /** The most informative line of its output. */
  readonly line: string;
}

/** All sessions in these events, the last ended first. @param events in any order. */
export function sessionStates(events: Iterable<BriefEvent>): SessionState[] {
  const ofSessions = inTime(events).filter((event) => !isOfCommandLine(event));
  const sessions = groupBy(ofSessions, sessionKey);
  const commits = commitsIn(ofSessions);
  const states = [...sessions.values()].map((of) => stateOf(of, commits));
  return states.sort((a, b) => compare(b.ended, a.ended));
}

/** Programs that only look. Finding nothing isn't a failure. */
const LOOKING = /^(?:ls|cat|head|tail|wc|stat|grep|rg|find|which|test|diff|cmp|pwd)\b/;
const HISTORY = /^git (?:log|show)$/;

/** Works out the slow parts only when a caller reads them: most callers read only the request. @param events of one session, in order of time. */
function stateOf(events: readonly BriefEvent[], commits: readonly Commit[]): SessionState {
  const last = events.at(-1) as BriefEvent;
  const own = events.filter((event) => !isOfChildAgent(event));
  const requests = requestsIn(own);
  const request = requestIn(requests);
  const isSince = (event: BriefEvent) =>
    request === undefined || inTime([event, request.event])[1] === event;
  const lastCommand = own.findLast(isCommand);
  const turn = () => events.reduce(turnAfter, NO_TURN);
  return {
    session: last.session,
    person: last.person,
    branch: events.findLast(({ place }) => place?.branch !== undefined)?.place?.branch,
    last: last.id,
    ended: last.ts,
    request: request?.said,
    get requestsBefore() {
      const before = requests.filter((event) => event !== request?.event && !isSince(event));
      return before
        .map(saidIn)
        .filter(({ text }) => isRealRequest(text))
        .reverse();
    },
    reply: replyIn(own, requests.at(-1)),
    get waiting() {
      return waitingIn(own, turn());
    },
    get turn() {
      return turn();
    },
    lastCommand: lastCommand && runOf(lastCommand),
    get failing() {
      const failure = failuresIn(events).findLast(isSince);
      return failure && runOf(failure);
    },
    get files() {
      return filesIn(events, commits);
    },
    get running() {
      return runningIn(events);
    },
  };
}

/** Failed commands that nothing settled. @param events of one session, in order of time. */
function failuresIn(events: readonly BriefEvent[]): BriefEvent[] {
  const unsettled: Unsettled = new Map();
  for (const event of events) {
    follow(unsettled, event);
  }
  const lastLook = events.findLast(
    (event) =>
      event.content.outcome === undefined && worksIn(event).some((work) => HISTORY.test(work)),
  );
  return [...unsettled.values()].filter((event) => {
    const work = worksIn(event).at(-1) ?? "";
    if (!isCommand(event) || isOfChildAgent(event) || LOOKING.test(work) || isLook(event)) {
      return false;
    }
    // A hook may make the commit after `git commit` fails. If the agent then looks at the history, the failure doesn't count.
    return work !== COMMIT || !lastLook || events.indexOf(lastLook) < events.indexOf(event);
  });
}

/** Whether a command only shows a file. */
const isLook = ({ content }: BriefEvent): boolean =>
  content.path !== undefined && content.edits !== true;

const worksIn = ({ content }: BriefEvent): string[] => commandSignatures(content.command ?? "");

const isCommand = ({ kind, content }: BriefEvent): boolean =>
  kind === "tool_result" && content.command !== undefined;

/** A person's requests. A command alone counts if the agent did something after it. */
function requestsIn(own: readonly BriefEvent[]): BriefEvent[] {
  const lastDone = own.findLastIndex((event) => event.kind === "tool_call" || isReply(event));
  return own.filter((event, at) => {
    if (!isFromPerson(event) || event.content.interrupted === true) {
      return false;
    }
    return at < lastDone || !isCommandAlone(event.content.text ?? "");
  });
}

/** The last real request, and the last short one after it. */
function requestIn(
  requests: readonly BriefEvent[],
): { readonly event: BriefEvent; readonly said: RequestSaid } | undefined {
  const real = requests.findLastIndex(({ content }) => isRealRequest(content.text ?? ""));
  // Without a real request, -1 takes the last one.
  const event = requests.at(real);
  if (event === undefined) {
    return undefined;
  }
  const after = real < 0 ? undefined : requests.slice(real + 1).at(-1)?.content.text;
  return { event, said: { ...saidIn(event), after, isQuoted: isQuoted(event.content) } };
}

const isReply = ({ kind, actor, content }: BriefEvent): boolean =>
  kind === "message" && actor.type === "agent" && !isQuoted(content);

function replyIn(own: readonly BriefEvent[], request: BriefEvent | undefined): Reply | undefined {
  const reply = own.findLast(isReply);
  if (reply === undefined) {
    return undefined;
  }
  const isLast = request === undefined || own.indexOf(reply) > own.indexOf(request);
  return { ...saidIn(reply), question: reply.content.question, isLast };
}

function waitingIn(own: readonly BriefEvent[], { state }: Turn): Unanswered | undefined {
  const call = own.findLast(({ kind }) => kind === "tool_call");
  if (!call || state === "asked" || state === "answered") {
    return undefined;
  }
  const { question, plan } = call.content;
  const refers = own.filter(({ refs }) =>
    refs.some((ref) => identityIn(ref) === identityIn(call.id)),
  );
  if (question !== undefined && state === "working" && refers.length === 0) {
    return { what: "question", id: call.id, text: question };
  }
  const isAccepted = refers.some(({ kind }) => kind === "decision");
  return plan === undefined || isAccepted ? undefined : { what: "plan", id: call.id, text: plan };
}

function runOf(event: BriefEvent): CommandRun {
  const { command = "", line = "", goes_on } = event.content;
  return { id: event.id, command, outcome: goes_on === true ? "goes_on" : outcomeOf(event), line };
}

function runningIn(events: readonly BriefEvent[]): SaidText[] {
  const running = new Map<string, SaidText>();
  /** The calls of child agents in the background. */
  const calls = new Map<string, string>();
  for (const { id, kind, content, refs } of events) {
    const { child_task: task, child_agent: childAgent = "" } = content;
    if (kind === "tool_call" && task !== undefined) {
      running.set(identityIn(id), { id, text: task });
    }
    if (kind !== "tool_result") {
      continue;
    }
    const answered = task === undefined ? [] : refs.map(identityIn);
    const earlier = calls.get(childAgent) ?? "";
    const call = answered.find((ref) => running.has(ref)) ?? earlier;
    if (content.goes_on !== true) {
      running.delete(call);
      // Another call resumed the child agent, which has ended now.
      running.delete(earlier);
    } else if (childAgent !== "") {
      calls.set(childAgent, call);
    }
  }
  return [...running.values()];
}

const saidIn = ({ id, content }: BriefEvent): SaidText => ({ id, text: content.text ?? "" });

export interface TouchedFile {
  readonly id: string;
  readonly path: string;
  readonly isEdited: boolean;
  /** Whether any session committed it later. */
  readonly isCommitted: boolean;
}

interface Commit {
  /** ISO 8601. */
  readonly ts: string;
  readonly staged: readonly string[] | undefined;
}

/** Commits of all sessions, each with its staged files, or undefined if no command listed any. @param events in order of time. */
function commitsIn(events: readonly BriefEvent[]): Commit[] {
  const waiting = new Map<string, string[]>();
  return events.flatMap((event) => {
    const { staged, commits } = event.content;
    if (staged === undefined && commits !== true) {
      return [];
    }
    const added = [...(waiting.get(sessionKey(event)) ?? []), ...textsIn(staged)];
    waiting.set(sessionKey(event), commits === true ? [] : added);
    return commits === true ? [{ ts: event.ts, staged: added.length > 0 ? added : undefined }] : [];
  });
}

/** The last touched first. @param events of one session, in order of time. */
function filesIn(events: readonly BriefEvent[], commits: readonly Commit[]): TouchedFile[] {
  const files = new Map<string, TouchedFile>();
  const changedAt = new Map<string, string>();
  const isCommitted = (path: string) => {
    const at = changedAt.get(path);
    return (
      at !== undefined &&
      commits.some(({ ts, staged }) => ts >= at && (!staged || isAmong(staged, path)))
    );
  };
  for (const { id, ts, kind, content } of events) {
    if (kind !== "tool_result" || content.outcome !== undefined) {
      continue;
    }
    for (const path of pathsIn(content)) {
      const isEdited = content.edits === true || files.get(path)?.isEdited === true;
      files.delete(path);
      files.set(path, { id, path, isEdited, isCommitted: false });
      if (content.edits === true) {
        changedAt.set(path, ts);
      }
    }
  }
  return [...files.values()]
    .reverse()
    .map((file) => ({ ...file, isCommitted: isCommitted(file.path) }));
}

const MOST_FILES = 12;

/** Open tasks, the reader's own first, then the last changed. A task that a later session took up counts only there. @param tasks in order of their last updates. */
export function tasksLeft(tasks: readonly Task[]): Task[] {
  const taken = new Map<string, Task>();
  for (const task of tasks) {
    if ((taken.get(task.title)?.ts ?? "") <= task.ts) {
      taken.set(task.title, task);
    }
  }
  const left = tasks.filter(
    (task) => isOpen(task) && taken.get(task.title)?.session === task.session,
  );
  return ownFirst(left.reverse());
}

/** Whether an open task belongs to an earlier session whose changes have all been committed. @param states the last ended first. */
export function isFaded({ session, branch }: Task, states: readonly SessionState[]): boolean {
  const here = ownFirst(
    states.filter((state) => state.branch === branch && state.request !== undefined),
  );
  const state = here.slice(1).find((state) => state.session === session);
  return (
    state?.files.some(({ isCommitted }) => isCommitted) === true && filesChanged(state).length === 0
  );
}

/** Edited files without a later commit, the last touched first. */
export function filesChanged({ files }: SessionState): readonly TouchedFile[] {
  return files.filter(({ isEdited, isCommitted }) => isEdited && !isCommitted).slice(0, MOST_FILES);
}
