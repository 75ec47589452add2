/** The state of a session that you need to resume it. Pure. */
import { groupBy } from "../../ground/core/group-by.ts";
import {
  type BriefEvent,
  identityIn,
  inTime,
  isOfCommandLine,
  sessionKey,
} from "../kinds/event.ts";
import { isOfChildAgent, isQuoted } from "../kinds/kind.ts";
import { isFromPerson } from "../kinds/message.ts";
import { COMMIT, commandSignatures } from "../kinds/texts/command-lines.ts";
import { isCommandAlone, isRealRequest } from "../kinds/texts/requests.ts";
import { outcomeOf } from "../kinds/tool-result.ts";
import { follow, type Unsettled } from "../projections/settling.ts";
import { NO_TURN, type Turn, turnAfter } from "../projections/turn.ts";
import { type Commit, commitsIn, filesIn } from "./touched-files.ts";

export type SessionState = Readonly<ReturnType<typeof stateOf>>;

export type CommandRun = ReturnType<typeof runOf>;

/** All sessions in these events, the last ended first. @param events in any order. */
export function sessionStates(events: Iterable<BriefEvent>): SessionState[] {
  const ofSessions = inTime(events).filter((event) => !isOfCommandLine(event));
  const sessions = groupBy(ofSessions, sessionKey);
  const commits = commitsIn(ofSessions);
  const states = [...sessions.values()].map((of) => stateOf(of, commits));
  return states.sort((a, b) => (a.ended === b.ended ? 0 : a.ended < b.ended ? 1 : -1));
}

/** Programs that only look. Finding nothing isn't a failure. */
const LOOKING = /^(?:ls|cat|head|tail|wc|stat|grep|rg|find|which|test|diff|cmp|pwd)\b/;
const HISTORY = /^git (?:log|show)$/;

/** Works out the slow parts only when a caller reads them: most callers read only the request. @param events of one session, in order of time. */
function stateOf(events: readonly BriefEvent[], commits: readonly Commit[]) {
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
    /** Undefined for the reader's own. */
    person: last.person,
    /** The last known branch. */
    branch: events.findLast(({ place }) => place?.branch !== undefined)?.place?.branch,
    /** Id and time (ISO 8601) of its last event. */
    last: last.id,
    ended: last.ts,
    /** The last real request, if any. */
    request: request?.said,
    /** Earlier real requests, the last first. */
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
    /** The state at the end. */
    get turn() {
      return turn();
    },
    lastCommand: lastCommand && runOf(lastCommand),
    /** The last unsettled failure since that request. */
    get failing() {
      const failure = failuresIn(events).findLast(isSince);
      return failure && runOf(failure);
    },
    /** The last touched first. */
    get files() {
      return filesIn(events, commits);
    },
    /** Child agents that haven't ended, with their tasks. */
    get running() {
      return runningIn(events);
    },
  };
}

/** Failed commands that nothing settled. @param events of one session, in order of time. */
function failuresIn(events: readonly BriefEvent[]): BriefEvent[] {
  const unsettled: Unsettled = new Map();
  for (const event of events) follow(unsettled, event);
  const lastLook = events.findLast(
    (event) =>
      event.content.outcome === undefined && worksIn(event).some((work) => HISTORY.test(work)),
  );
  return [...unsettled.values()].filter((event) => {
    const work = worksIn(event).at(-1) ?? "";
    if (!isCommand(event) || isOfChildAgent(event) || LOOKING.test(work) || isLook(event))
      return false;
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
    if (!isFromPerson(event) || event.content.interrupted === true) return false;
    return at < lastDone || !isCommandAlone(event.content.text ?? "");
  });
}

/** The last real request, and the last short one after it. */
function requestIn(requests: readonly BriefEvent[]) {
  const real = requests.findLastIndex(({ content }) => isRealRequest(content.text ?? ""));
  const [event, after] =
    real < 0 ? [requests.at(-1)] : [requests[real], requests.slice(real + 1).at(-1)];
  return (
    event && {
      event,
      said: { ...saidIn(event), after: after?.content.text, isQuoted: isQuoted(event.content) },
    }
  );
}

const isReply = ({ kind, actor, content }: BriefEvent): boolean =>
  kind === "message" && actor.type === "agent" && !isQuoted(content);

function replyIn(own: readonly BriefEvent[], request: BriefEvent | undefined) {
  const reply = own.findLast(isReply);
  /** Whether no request came after it. */
  const isLast = (said: BriefEvent) =>
    request === undefined || own.indexOf(said) > own.indexOf(request);
  return reply && { ...saidIn(reply), question: reply.content.question, isLast: isLast(reply) };
}

/** The agent's last question or plan, if the user hasn't answered or accepted it. */
function waitingIn(own: readonly BriefEvent[], { state }: Turn) {
  const call = own.findLast(({ kind }) => kind === "tool_call");
  if (!call || state === "asked" || state === "answered") return undefined;
  const { question, plan } = call.content;
  const refers = own.filter(({ refs }) =>
    refs.some((ref) => identityIn(ref) === identityIn(call.id)),
  );
  if (question !== undefined && state === "working" && refers.length === 0)
    return { what: "question" as const, id: call.id, text: question };
  const isAccepted = refers.some(({ kind }) => kind === "decision");
  return plan === undefined || isAccepted
    ? undefined
    : { what: "plan" as const, id: call.id, text: plan };
}

/** A command, its outcome (undefined for success) and the most informative line of its output. */
function runOf(event: BriefEvent) {
  const { command = "", line = "", goes_on } = event.content;
  return { id: event.id, command, outcome: goes_on === true ? "goes_on" : outcomeOf(event), line };
}

function runningIn(events: readonly BriefEvent[]) {
  const running = new Map<string, ReturnType<typeof saidIn>>();
  const inBackground = new Map<string, string>();
  for (const { id, kind, content, refs } of events) {
    const { child_task: task, child_agent: childAgent } = content;
    if (kind === "tool_call" && task !== undefined) running.set(identityIn(id), { id, text: task });
    if (kind === "tool_result" && task !== undefined) {
      const call = refs.map(identityIn).find((ref) => running.has(ref));
      if (call !== undefined && content.goes_on !== true) running.delete(call);
      if (call !== undefined && content.goes_on === true && childAgent !== undefined)
        inBackground.set(childAgent, call);
    }
    if (kind === "tool_result" && content.goes_on !== true)
      running.delete(inBackground.get(childAgent ?? "") ?? "");
  }
  return [...running.values()];
}

const saidIn = ({ id, content }: BriefEvent) => ({ id, text: content.text ?? "" });
