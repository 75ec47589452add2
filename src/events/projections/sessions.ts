/** What each session came to, from its events. Pure. */
import type { Event, Json } from "../event.ts";

export interface SessionSummary {
  readonly session: string;
  /** The client; its subagents are counted apart. */
  readonly agent: string;
  readonly subagents: number;
  /** First and last event, ISO 8601. */
  readonly began: string;
  readonly ended: string;
  /** In the order in which it came to them. */
  readonly branches: readonly string[];
  /** What the person asked first, in full; a command without words only where nothing else was asked. */
  readonly request: string | null;
  readonly title: string | null;
  /** The plan from an earlier session that it carries out. */
  readonly plan: string | null;
  /** The session whose plan this one carries out. */
  readonly parent: string | null;
  /** Files that were changed, in the order of their first change. */
  readonly files: readonly string[];
  readonly tasks: { readonly done: number; readonly all: number };
  readonly decisions: number;
  /** Hashes of commits. */
  readonly commits: readonly string[];
  /** Calls that failed, and that no later success of the same work settled. */
  readonly failures: number;
  readonly refusals: number;
  readonly compactions: number;
  readonly events: number;
}

interface Tally {
  readonly first: Event;
  last: Event;
  count: number;
  request?: string;
  command?: string;
  title?: string;
  plan?: string;
  parent?: string;
  decisions: number;
  refusals: number;
  compactions: number;
  readonly agents: Set<string>;
  readonly branches: Set<string>;
  readonly files: Set<string>;
  readonly tasks: Map<string, boolean>;
  readonly commits: Set<string>;
  readonly failures: Set<string>;
}

/** A command alone, such as "/clear". */
const COMMAND = /^\/\S+$/;
const COMMIT = "commit:";

/** @param events in order of time. @returns the sessions, that which began last first. */
export async function summariseSessions(events: AsyncIterable<Event>): Promise<SessionSummary[]> {
  const tallies = new Map<string, Tally>();
  for await (const event of events) {
    const tally = tallies.get(event.session) ?? newTally(event);
    tallies.set(event.session, tally);
    add(event, tally);
  }
  return [...tallies.values()].map(summaryOf).reverse();
}

function newTally(first: Event): Tally {
  return {
    first,
    last: first,
    count: 0,
    decisions: 0,
    refusals: 0,
    compactions: 0,
    agents: new Set(),
    branches: new Set(),
    files: new Set(),
    tasks: new Map(),
    commits: new Set(),
    failures: new Set(),
  };
}

function add(event: Event, tally: Tally): void {
  const { kind, actor, content, agent, place, tags, id } = event;
  tally.last = event;
  tally.count += 1;
  tally.agents.add(agent);
  if (place?.branch !== undefined) tally.branches.add(place.branch);
  for (const tag of tags) if (tag.startsWith(COMMIT)) tally.commits.add(tag.slice(COMMIT.length));
  switch (kind) {
    case "message":
      if (actor.type === "human") addRequest(text(content.text) ?? "", tally);
      break;
    case "tool_result":
      if (content.outcome === "failed") tally.failures.add(id);
      if (content.outcome === "refused_by_user") tally.refusals += 1;
      if (content.edits === true && content.outcome === undefined) tally.files.add(text(content.path) ?? "");
      tally.failures.delete(text(content.settles) ?? "");
      break;
    case "task_update":
      tally.tasks.set(text(content.task) ?? id, content.status === "done");
      break;
    case "decision":
      tally.decisions += 1;
      if (text(content.carries_out) !== undefined) tally.plan ??= String(content.carries_out);
      break;
    case "session":
      if (content.event === "compact") tally.compactions += 1;
      if (content.event === "title") tally.title = text(content.title) ?? "";
      if (text(content.parent) !== undefined) tally.parent = String(content.parent);
      break;
  }
}

function addRequest(said: string, tally: Tally): void {
  if (COMMAND.test(said)) tally.command ??= said;
  else if (said !== "") tally.request ??= said;
}

function summaryOf(tally: Tally): SessionSummary {
  const { first, last, tasks } = tally;
  const agents = [...tally.agents];
  const own = agents.filter((agent) => !agent.includes("/"));
  return {
    session: first.session,
    agent: own[0] ?? first.agent.split("/", 1)[0] ?? first.agent,
    subagents: agents.length - own.length,
    began: first.ts,
    ended: last.ts,
    branches: [...tally.branches],
    request: tally.request ?? tally.command ?? null,
    title: tally.title ?? null,
    plan: tally.plan ?? null,
    parent: tally.parent ?? null,
    files: [...tally.files],
    tasks: { done: [...tasks.values()].filter(Boolean).length, all: tasks.size },
    decisions: tally.decisions,
    commits: [...tally.commits],
    failures: tally.failures.size,
    refusals: tally.refusals,
    compactions: tally.compactions,
    events: tally.count,
  };
}

function text(value: Json | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}
