import {
  type BriefEvent,
  type Event,
  identityIn,
  isOfCommandLine,
  sessionKey,
} from "../kinds/event.ts";
import { isOfChildAgent, pathsIn } from "../kinds/kind.ts";
import { isFromPerson, isOfOtherVoice } from "../kinds/message.ts";
import { isCommandAlone } from "../kinds/texts/requests.ts";
import { outcomeOf } from "../kinds/tool-result.ts";
import type { EventStore } from "../store.ts";
import {
  endOf,
  follow,
  NO_TURN,
  type SessionEnd,
  type Turn,
  turnAfter,
  type Unsettled,
} from "./progress.ts";
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

const COMMIT = "commit:";
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

/** The sums over a session's events so far. */
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
    if (tag.startsWith(COMMIT)) {
      tally.commits.add(tag.slice(COMMIT.length));
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
