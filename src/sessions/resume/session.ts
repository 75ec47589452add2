/** Where a session stands: what has to be known to go on with it. Pure. */
import { groupBy } from "../../ground/core/group-by.ts";
import { type BriefEvent, inTime, isOfCommandLine, sessionKey } from "../kinds/brief-event.ts";
import { identityIn } from "../kinds/event-id.ts";
import { isOfChildAgent, isQuoted } from "../kinds/kind.ts";
import { isFromPerson } from "../kinds/message.ts";
import { COMMIT, worksOf } from "../kinds/texts/command-lines.ts";
import { isCommandAlone, isRealRequest } from "../kinds/texts/requests.ts";
import { outcomeOf } from "../kinds/tool-result.ts";
import { follow, type Unsettled } from "../projections/settling.ts";
import { NO_TURN, type Turn, turnAfter } from "../projections/turn.ts";
import { type Commit, commitsIn, filesIn, type TouchedFile } from "./touched-files.ts";

interface Said {
  readonly id: string;
  readonly text: string;
}

interface Request extends Said {
  /** A shorter one after it. */
  readonly after: string | undefined;
  /** Whether only the agent says that a person asked for it. */
  readonly isQuoted: boolean;
}

interface Reply extends Said {
  readonly question: string | undefined;
  /** Whether nobody asked for anything since. */
  readonly isLast: boolean;
}

/** What the agent laid before the person last, and what nobody agreed to. */
interface Waiting extends Said {
  readonly what: "question" | "plan";
}

export interface CommandRun {
  readonly id: string;
  readonly command: string;
  /** Absent where it did what it should. */
  readonly outcome: string | undefined;
  /** The first line that it printed. */
  readonly line: string;
}

export interface SessionState {
  readonly session: string;
  /** Whose it is; undefined for the reader's own. */
  readonly person: string | undefined;
  /** The last one; undefined where nothing says. */
  readonly branch: string | undefined;
  /** Id of its last event, and the time of that, ISO 8601. */
  readonly last: string;
  readonly ended: string;
  /** The last one that says what is wanted; undefined where nothing says. */
  readonly request: Request | undefined;
  /** All that are known before it, the last one first. */
  readonly requestsBefore: readonly Said[];
  readonly reply: Reply | undefined;
  readonly waiting: Waiting | undefined;
  /** How it stood at the end. */
  readonly turn: Turn;
  readonly lastCommand: CommandRun | undefined;
  /** The last command that failed since that request, and that nothing settled. */
  readonly failing: CommandRun | undefined;
  /** The last one first. */
  readonly files: readonly TouchedFile[];
  /** Child agents that were started and have not ended, with their task. */
  readonly running: readonly Said[];
}

/** The sessions with an event here, that which ended last first. @param events in any order. */
export function sessionStates(events: Iterable<BriefEvent>): SessionState[] {
  const ofSessions = inTime(events).filter((event) => !isOfCommandLine(event));
  const sessions = groupBy(ofSessions, sessionKey);
  const commits = commitsIn(ofSessions);
  const states = [...sessions.values()].map((of) => stateOf(of, commits));
  return states.sort((a, b) => (a.ended === b.ended ? 0 : a.ended < b.ended ? 1 : -1));
}

/** Programs that look: that they find nothing is an answer. */
const LOOKING = /^(?:ls|cat|head|tail|wc|stat|grep|rg|find|which|test|diff|cmp|pwd)\b/;
const HISTORY = /^git (?:log|show)$/;

/** Works out the slow parts only when a caller reads them: most callers read only the request. @param events of one session, in order of time. */
function stateOf(events: readonly BriefEvent[], commits: readonly Commit[]): SessionState {
  const last = events.at(-1) as BriefEvent;
  const own = events.filter((event) => !isOfChildAgent(event));
  const requests = requestsIn(own);
  const request = requestIn(requests);
  const isSince = (event: BriefEvent) => request === undefined || inTime([event, request.event])[1] === event;
  const lastCommand = own.findLast(isCommand);
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
        .filter(({ content }) => isRealRequest(content.text ?? ""))
        .map(saidIn)
        .reverse();
    },
    reply: replyIn(own, requests.at(-1)),
    get waiting() {
      return waitingIn(own, this.turn);
    },
    get turn() {
      return events.reduce(turnAfter, NO_TURN);
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

/** Commands that failed and that nothing settled. @param events of one session, in order of time. */
export function failuresIn(events: readonly BriefEvent[]): BriefEvent[] {
  const unsettled: Unsettled = new Map();
  for (const event of events) follow(unsettled, event);
  const lastLook = events.findLast(
    (event) => event.content.outcome === undefined && worksIn(event).some((work) => HISTORY.test(work)),
  );
  return [...unsettled.values()].filter((event) => {
    const work = worksIn(event).at(-1) ?? "";
    if (!isCommand(event) || isOfChildAgent(event) || LOOKING.test(work) || isLook(event)) return false;
    // An agent that looks at the commits after one that failed may have found it there, as a hook may make it.
    return work !== COMMIT || !lastLook || events.indexOf(lastLook) < events.indexOf(event);
  });
}

/** A command that shows a file, whatever program does that. */
const isLook = ({ content }: BriefEvent): boolean => content.path !== undefined && content.edits !== true;

const worksIn = ({ content }: BriefEvent): string[] => worksOf(content.command ?? "");

const isCommand = ({ kind, content }: BriefEvent): boolean => kind === "tool_result" && content.command !== undefined;

/** What a person asked. A command alone is a request where the agent did something after it. */
function requestsIn(own: readonly BriefEvent[]): BriefEvent[] {
  const lastDone = own.findLastIndex(
    ({ kind, actor, content }) => kind === "tool_call" || isReply({ kind, actor, content }),
  );
  return own.filter(({ kind, actor, content }, at) => {
    if (!isFromPerson({ kind, actor, content }) || content.interrupted === true) return false;
    return at < lastDone || !isCommandAlone(content.text ?? "");
  });
}

/** A short one borrows the one before. */
function requestIn(requests: readonly BriefEvent[]): { event: BriefEvent; said: Request } | undefined {
  const real = requests.findLastIndex(({ content }) => isRealRequest(content.text ?? ""));
  const [event, after] = real < 0 ? [requests.at(-1)] : [requests[real], requests.slice(real + 1).at(-1)];
  return (
    event && {
      event,
      said: { ...saidIn(event), after: after?.content.text, isQuoted: isQuoted(event.content) },
    }
  );
}

function isReply({ kind, actor, content }: Pick<BriefEvent, "kind" | "actor" | "content">): boolean {
  return kind === "message" && actor.type === "agent" && !isQuoted(content);
}

function replyIn(own: readonly BriefEvent[], request: BriefEvent | undefined): Reply | undefined {
  const reply = own.findLast(isReply);
  if (!reply) return undefined;
  const isLast = request === undefined || own.indexOf(reply) > own.indexOf(request);
  return { ...saidIn(reply), question: reply.content.question, isLast };
}

/** The last call, where it asks the person something, and nobody answered or agreed. */
function waitingIn(own: readonly BriefEvent[], { state }: Turn): Waiting | undefined {
  const call = own.findLast(({ kind }) => kind === "tool_call");
  if (!call || state === "asked" || state === "answered") return undefined;
  const { question, plan } = call.content;
  const refers = own.filter(({ refs }) => refs.some((ref) => identityIn(ref) === identityIn(call.id)));
  if (question !== undefined && state === "working" && refers.length === 0)
    return { what: "question", id: call.id, text: question };
  const isAccepted = refers.some(({ kind }) => kind === "decision");
  return plan === undefined || isAccepted ? undefined : { what: "plan", id: call.id, text: plan };
}

/** Stands for the outcome of a command that has none yet. */
const GOES_ON = "goes_on";

function runOf(event: BriefEvent): CommandRun {
  const { command = "", line = "", goes_on } = event.content;
  return { id: event.id, command, outcome: goes_on === true ? GOES_ON : outcomeOf(event), line };
}

function runningIn(events: readonly BriefEvent[]): Said[] {
  const running = new Map<string, Said>();
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
    // Earlier session logs have an event of the session in place of a result.
    const isEnd = content.event === "background_end" || (kind === "tool_result" && content.goes_on !== true);
    if (isEnd) running.delete(inBackground.get(childAgent ?? "") ?? "");
  }
  return [...running.values()];
}

const saidIn = ({ id, content }: BriefEvent): Said => ({ id, text: content.text ?? "" });
