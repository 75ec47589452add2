/**
 * Sessions, summarized from their events, and the rules of all summaries: whether a session's last request was answered, how it ended, and
 * which failures are open.
 */
import {
  type BriefEvent,
  type Event,
  identityIn,
  isOfCommandLine,
  sessionKey,
} from "../kinds/event.ts";
import { isOfChildAgent, pathsIn } from "../kinds/kind.ts";
import { isFromPerson, isOfOtherVoice } from "../kinds/message.ts";
import { COMMIT, commandSignatures } from "../kinds/texts/command-lines.ts";
import { isCommandAlone } from "../kinds/texts/requests.ts";
import { outcomeOf } from "../kinds/tool-result.ts";
import type { EventStore } from "../store.ts";
import { tasksOf } from "./tasks.ts";

/** A session, summarized from its events. */
export interface SessionSummary extends Readonly<Counts> {
  readonly session: string;
  /** Undefined for the reader's own. */
  readonly person: string | undefined;
  /** The client. Child agents are counted separately. */
  readonly agent: string;
  readonly childAgents: number;
  /** The times of the first and last event, ISO 8601. */
  readonly began: string;
  readonly ended: string;
  readonly end: SessionEnd;
  /** Whether the client recorded its end. Imported sessions lack it. */
  readonly isEndKnown: boolean;
  /** The branches by first use. */
  readonly branches: readonly string[];
  /** The first request, in full. A command alone counts only if there was no other request. */
  readonly request: string | null;
  /** The agent's last message, in full. */
  readonly answer: string | null;
  readonly title: string | null;
  /** The plan of an earlier session that it carries out. */
  readonly plan: string | null;
  /** The session whose plan this one carries out. */
  readonly parent: string | null;
  /** Changed files of the project in the order of their first change, relative to the worktree. */
  readonly files: readonly string[];
  /** Hashes of commits. */
  readonly commits: readonly string[];
  /** The failures, including those that a later success settled. */
  readonly failed: number;
}

/** A summary with its state at a given time. */
export interface SessionNow extends Omit<SessionSummary, "end"> {
  readonly tasks: TaskCount;
  readonly end: SessionEnd | "still running";
}

/** The numbers of events of a kind. */
interface Counts {
  events: number;
  decisions: number;
  /** The failures that a later success settled. */
  settled: number;
}

/** `cleared` is the client's `/clear`. `broken off` means that it ended in the middle of the agent's work. */
export type SessionEnd = "finished" | "interrupted" | "cleared" | "broken off";

export interface Turn {
  /** `asked`: the agent hasn't reacted yet. `working`: it has, but hasn't given a final reply. */
  readonly state: "answered" | "asked" | "working" | "interrupted";
  /** The client's reason for the end. Undefined while the session runs or if none is recorded. */
  readonly reason: string | undefined;
}

/** Open failures by identity, the earliest first. Showing a settled failure is worse than hiding an open one, so any sign settles it. */
export type Unsettled = Map<string, BriefEvent>;

const COMMIT_TAG = "commit:";
/** A session without an end counts as running for this long after its last event. */
const RUNNING_MS = 30 * 60 * 1_000;
const ABSOLUTE = /^(?:[a-z]:)?[\\/]/i;

/** @param events in order of time. @returns the sessions, the last begun first. */
export async function summariseSessions(events: AsyncIterable<Event>): Promise<SessionSummary[]> {
  const tallies = new Map<string, Tally>();
  for await (const event of events) {
    if (isOfCommandLine(event)) {
      continue;
    }
    const key = sessionKey(event);
    const tally: Tally = tallies.get(key) ?? newTally(event);
    tallies.set(key, tally);
    add(event, tally);
  }
  return [...tallies.values()].map(summaryOf).reverse();
}

/** All sessions, the last begun first, with their tasks' progress in all sessions. A recent one without an end counts as still running. */
export async function sessionsNow(
  store: Pick<EventStore, "read" | "brief">,
  now: number,
): Promise<SessionNow[]> {
  const tasks = tasksBySession(await store.brief("ledger"));
  const summaries = await summariseSessions(store.read());
  return summaries.map((summary) => {
    const isRecent = now - Date.parse(summary.ended) < RUNNING_MS;
    return {
      ...summary,
      tasks: tasks.get(summary.session) ?? { done: 0, all: 0 },
      end: !summary.isEndKnown && isRecent ? "still running" : summary.end,
    };
  });
}

interface TaskCount {
  readonly done: number;
  readonly all: number;
}

/** Counts the tasks that each session worked on. @param ledger all recorded task updates. @returns by session. @internal */
export function tasksBySession(ledger: readonly BriefEvent[]): ReadonlyMap<string, TaskCount> {
  const sessions = new Map(ledger.map(({ id, session }) => [identityIn(id), session]));
  const counts = new Map<string, TaskCount>();
  for (const { updates, status } of tasksOf(ledger)) {
    for (const session of new Set(updates.map((id) => sessions.get(identityIn(id)) ?? ""))) {
      const { done, all } = counts.get(session) ?? { done: 0, all: 0 };
      counts.set(session, { done: done + (status === "done" ? 1 : 0), all: all + 1 });
    }
  }
  return counts;
}

type Words = "request" | "command" | "title" | "plan" | "parent" | "answer";

/** A session as its events so far show it. */
interface Tally extends Partial<Record<Words, string | undefined>> {
  readonly first: Event;
  last: Event;
  readonly counts: Counts;
  turn: Turn;
  readonly agents: Set<string>;
  readonly branches: Set<string>;
  readonly files: Set<string>;
  readonly commits: Set<string>;
  readonly failures: Unsettled;
}

function newTally(first: Event): Tally {
  return {
    first,
    last: first,
    counts: { events: 0, decisions: 0, settled: 0 },
    turn: NO_TURN,
    agents: new Set<string>(),
    branches: new Set<string>(),
    files: new Set<string>(),
    commits: new Set<string>(),
    failures: new Map(),
  };
}

function add(event: Event, tally: Tally): void {
  const { kind, content, agent, place, tags } = event;
  const { counts } = tally;
  tally.last = event;
  counts.events += 1;
  tally.agents.add(agent);
  if (place?.branch !== undefined) {
    tally.branches.add(place.branch);
  }
  for (const tag of tags) {
    if (tag.startsWith(COMMIT_TAG)) {
      tally.commits.add(tag.slice(COMMIT_TAG.length));
    }
  }
  tally.turn = turnAfter(tally.turn, event);
  counts.settled += follow(tally.failures, event);
  switch (kind) {
    case "message":
      addMessage(event, tally);
      break;
    case "tool_result":
      addResult(event, tally);
      break;
    case "decision":
      counts.decisions += 1;
      tally.plan ??= content.carries_out;
      break;
    case "session":
      if (content.event === "title") {
        tally.title = content.title ?? "";
      }
      tally.parent = content.parent ?? tally.parent;
      break;
  }
}

function addMessage(event: Event, tally: Tally): void {
  const { text = "", interrupted } = event.content;
  const isAnswer = !isFromPerson(event) && !isOfChildAgent(event) && !isOfOtherVoice(event);
  if (isAnswer) {
    tally.answer = text || tally.answer;
  }
  if (!isFromPerson(event) || interrupted === true || text === "") {
    return;
  }
  if (isCommandAlone(text)) {
    tally.command ??= text;
  } else {
    tally.request ??= text;
  }
}

function addResult(event: Event, tally: Tally): void {
  if (event.content.edits !== true || outcomeOf(event) !== undefined) {
    return;
  }
  for (const file of pathsIn(event.content)) {
    if (!ABSOLUTE.test(file)) {
      tally.files.add(file);
    }
  }
}

function summaryOf(tally: Tally): SessionSummary {
  const { first, last } = tally;
  const agents = [...tally.agents];
  const own = agents.filter((agent) => !agent.includes("/"));
  return {
    session: first.session,
    person: first.person,
    agent: own[0] ?? first.agent.split("/", 1)[0] ?? first.agent,
    childAgents: agents.length - own.length,
    began: first.ts,
    ended: last.ts,
    end: endOf(tally.turn),
    isEndKnown: tally.turn.reason !== undefined,
    branches: [...tally.branches],
    request: tally.request ?? tally.command ?? null,
    answer: tally.answer ?? null,
    title: tally.title ?? null,
    plan: tally.plan ?? null,
    parent: tally.parent ?? null,
    files: [...tally.files],
    commits: [...tally.commits],
    failed: tally.failures.size + tally.counts.settled,
    ...tally.counts,
  };
}

export const NO_TURN: Turn = { state: "answered", reason: undefined };

/** The client's reason for `/clear`. */
const CLEARED = "clear";

/** The state after the next event. A result doesn't change it, because its call already did. */
export function turnAfter(turn: Turn, event: BriefEvent): Turn {
  const { kind, content } = event;
  if (isOfChildAgent(event)) {
    return turn;
  }
  if (kind === "session" && content.event === "end") {
    return { ...turn, reason: content.reason ?? "" };
  }
  // Events after the end mean that the session was resumed.
  if (kind === "tool_result") {
    return { ...turn, reason: undefined };
  }
  // Gemini CLI writes the call that was interrupted after the interruption.
  if (kind === "tool_call") {
    return { state: turn.state === "interrupted" ? turn.state : "working", reason: undefined };
  }
  if (kind !== "message" || isOfOtherVoice(event)) {
    return turn;
  }
  if (!isFromPerson(event)) {
    return { state: "answered", reason: undefined };
  }
  if (content.interrupted === true) {
    return { state: "interrupted", reason: undefined };
  }
  const isRequest = !isCommandAlone(content.text ?? "");
  return { state: isRequest ? "asked" : turn.state, reason: undefined };
}

export function endOf({ state, reason }: Turn): SessionEnd {
  if (reason === CLEARED) {
    return "cleared";
  }
  if (state === "interrupted") {
    return state;
  }
  return state === "answered" ? "finished" : "broken off";
}

/** Applies the next event of a session. @returns the number of failures that it settled. */
export function follow(unsettled: Unsettled, event: BriefEvent): number {
  const { id, kind, content } = event;
  if (kind !== "tool_result") {
    return 0;
  }
  const before = unsettled.size;
  const outcome = outcomeOf(event);
  // Background work hasn't succeeded yet.
  const isDone = outcome === undefined && content.goes_on !== true;
  const works = isDone && unsettled.size > 0 ? signaturesOf(event) : [];
  for (const [failure, failed] of unsettled) {
    const work = signaturesOf(failed).at(-1);
    if (work === undefined) {
      continue;
    }
    // A commit settles all failures: agents commit working code, and hooks test it again.
    if (works.includes(work) || works.includes(COMMIT)) {
      unsettled.delete(failure);
    }
  }
  const settled = before - unsettled.size;
  if (outcome === "failed") {
    unsettled.set(identityIn(id), event);
  }
  return settled;
}

/** The work of a call: that of each command, or a file that it reads or edits. */
function signaturesOf({ content: { command, path, edits } }: BriefEvent): readonly string[] {
  if (command !== undefined) {
    return commandSignatures(command);
  }
  return path === undefined ? [] : [`${edits ? "edit" : "read"} ${path}`];
}
