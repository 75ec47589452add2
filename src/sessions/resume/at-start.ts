/** Reduces the recent window to the events that a session start may need. The hook that reads it has little time. Pure. */
import { groupBy } from "../../ground/core/group-by.ts";
import { present } from "../../ground/core/text.ts";
import {
  type BriefEvent,
  identityIn,
  isOwn,
  type Kind,
  ownFirst,
  sessionKey,
} from "../kinds/event.ts";
import { pathsIn } from "../kinds/kind.ts";
import { REPLACEABLE } from "../kinds/kinds.ts";
import { decisionsOf } from "../projections/decisions.ts";
import { decisionsReplacedBy, pinsOf } from "../projections/pins.ts";
import { resolveSupersession } from "../projections/superseded.ts";
import { isOpen, type Task, tasksOf } from "../projections/tasks.ts";
import { eventNamed } from "../storing/named-ids.ts";
import { failuresIn, type SessionState, sessionStates } from "./session.ts";
import type { TouchedFile } from "./touched-files.ts";

/** Per branch. The reader's last session may be the one that starts, if it resumes under its id. */
const SESSIONS = 2;
/** Per branch, for all other people together. */
const SESSIONS_OF_OTHERS = 1;
const BRANCHES = 20;
const MOST_FILES = 12;
const MOST_TASKS = 40;
const MOST_DECISIONS = 40;

const SAID: readonly Kind[] = ["message", "tool_call", "session"];

/** @param events the recent window, in order of time. */
export function pruneForSessionStart(events: readonly BriefEvent[]): BriefEvent[] {
  const needed = idsNeeded(events);
  return events.filter(({ id }) => needed.has(id));
}

function idsNeeded(events: readonly BriefEvent[]): ReadonlySet<string> {
  const sessions = groupBy(events, sessionKey);
  const states = sessionStates(events);
  const ends = lastSessions(states).flatMap((state) =>
    endOf(state, sessions.get(sessionKey(state)) ?? []),
  );
  const isEnd = new Set(ends.map(({ id }) => id));
  const began = ends.reduce((first, { ts }) => (ts < first ? ts : first), "~");
  const commits = events.filter(
    ({ ts, content }) => ts >= began && (content.staged || content.commits),
  );
  const tasks = tasksNeeded(events, isEnd).filter((task) => !isFaded(task, states));
  const decisions = decisionsOf(events).slice(-MOST_DECISIONS);
  const pins = pinsOf(events);
  const pinned = new Set(
    pins.flatMap(({ ref }) => (ref === undefined ? [] : identityIn(eventNamed(ref)))),
  );
  const needed = new Set([
    ...isEnd,
    ...tasks.flatMap(({ updates }) => updates),
    ...[...decisions, ...pins, ...commits].map(({ id }) => id),
    ...events
      .filter((event) => decisionsReplacedBy(event).some((id) => pinned.has(id)))
      .map(({ id }) => id),
  ]);
  return withReplacements(needed, events);
}

/** Adds all updates of the open tasks and of all tasks with the same title, because a later session may have taken one up. */
function tasksNeeded(events: readonly BriefEvent[], needed: ReadonlySet<string>): Task[] {
  const tasks = tasksOf(events);
  const open = ownFirst(lastFirst(tasks.filter(isOpen))).slice(0, MOST_TASKS);
  const ofEnds = tasks.filter(({ updates }) => updates.some((id) => needed.has(id)));
  const titles = new Set([...open, ...ofEnds].map(({ title }) => title));
  return tasks.filter(({ title }) => titles.has(title));
}

/** Adds the events that supersede the needed ones. Without them, superseded events would look current. */
function withReplacements(
  needed: ReadonlySet<string>,
  events: readonly BriefEvent[],
): ReadonlySet<string> {
  const all = new Set(needed);
  // Events are in order of time, so replacements come after the events they replace.
  for (const kind of REPLACEABLE)
    for (const { event, supersededBy } of resolveSupersession(
      events.filter((event) => event.kind === kind),
    ))
      if (all.has(event.id)) for (const id of supersededBy) all.add(id);
  return all;
}

/** Open tasks, the reader's own first, then the last changed. A task that a later session took up counts only there. */
export function tasksLeft(tasks: readonly Task[]): Task[] {
  const taken = new Map<string, Task>();
  for (const task of tasks)
    if ((taken.get(task.title)?.ts ?? "") <= task.ts) taken.set(task.title, task);
  return ownFirst(
    lastFirst(
      tasks.filter((task) => isOpen(task) && taken.get(task.title)?.session === task.session),
    ),
  );
}

const lastFirst = (tasks: readonly Task[]): Task[] =>
  [...tasks].sort((a, b) => (a.ts < b.ts ? 1 : -1));

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

/** The sessions with a request that ended last on each branch. */
function lastSessions(states: readonly SessionState[]): SessionState[] {
  const asked = states.filter(({ request }) => request !== undefined);
  const byBranch = [...groupBy(ownFirst(asked), ({ branch }) => branch).values()];
  return byBranch.slice(0, BRANCHES).flatMap((all) => {
    const own = all.filter(isOwn);
    return [...own.slice(0, SESSIONS), ...all.slice(own.length, own.length + SESSIONS_OF_OTHERS)];
  });
}

/** Edited files without a later commit, the last touched first. */
export function filesChanged({ files }: SessionState): readonly TouchedFile[] {
  return files.filter(({ isEdited, isCommitted }) => isEdited && !isCommitted).slice(0, MOST_FILES);
}

/** The events that show how, when and on which branch a session ended, and which files it left. @param events in order of time. */
function endOf(state: SessionState, events: readonly BriefEvent[]): BriefEvent[] {
  const paths = new Set(filesChanged(state).map(({ path }) => path));
  const said = events.filter(({ kind, content }) => {
    // Unsettled failures are added below.
    if (content.outcome === "failed") return SAID.includes(kind);
    return (
      SAID.includes(kind) ||
      content.outcome !== undefined ||
      pathsIn(content).some((path) => paths.has(path))
    );
  });
  const lasts = [
    events.at(-1),
    events.findLast(({ place }) => place?.branch !== undefined),
    // It may answer the agent's last question.
    events.findLast(({ kind }) => kind === "decision"),
  ];
  return [...said, ...failuresIn(events), ...present(...lasts)];
}
