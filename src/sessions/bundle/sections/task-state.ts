/** The state of the session, or of the one before it: pins, the request, open tasks, last commands, and the files that it will probably need next. Pure. */
import { lineOf, type Note, note, pinLine, taskThing } from "../../answers/render.ts";
import { type BriefEvent, inTime, ownFirst } from "../../kinds/event.ts";
import { pinsOf } from "../../projections/pins.ts";
import { type FileRequest, relevantFiles, touchesOf } from "../../projections/relevant-files.ts";
import { isOpen, type Task, tasksOf, withContradictions } from "../../projections/tasks.ts";
import { askedBefore, commandNotes, lastNotes, ownNotes } from "../../resume/notes/notes.ts";
import { isFaded, type SessionState, sessionStates, tasksLeft } from "../../resume/session.ts";
import { type Candidate, fromNote, type Material } from "../bundle.ts";
import type { Scored } from "../scoring.ts";

const TEXT = 200;
const TITLE = 160;
const MOST_TASKS = 30;

type Seen = Pick<Material, "recent" | "ledger">;

export function taskStateCandidates(
  seen: Seen,
  session: string,
  branch: string | undefined,
): Candidate[] {
  const state = stateOf(seen.recent, session);
  const { here, elsewhere } = askedBefore(seen.recent, { session, branch });
  const before = here.length > 0 ? here : elsewhere;
  const requestNotes = state?.request ? ownNotes(state) : lastNotes(before);
  return [
    ...pinsOf(seen.ledger).map((pin) => pinLine(pin, TEXT)),
    ...requestNotes,
    ...taskNotes(seen, session),
  ].map((each) => fromNote("task_state", each));
}

function stateOf(recent: readonly BriefEvent[], session: string): SessionState | undefined {
  return ownFirst(sessionStates(recent.filter((event) => event.session === session)))[0];
}

/** The session's tasks first, then open ones of other sessions. Closed tasks are shown if a summary lists them as open. */
function taskNotes({ recent, ledger }: Seen, session: string): Note[] {
  const summaries = recent.filter(({ kind }) => kind === "summary");
  const all = withContradictions(tasksOf(ledger), summaries);
  const own = all.filter((task) => task.session === session);
  const states = sessionStates(recent);
  // The window has the tasks of recent days. Older ones no longer matter.
  const [{ ts: oldest } = { ts: "" }] = recent;
  const isLeft = (task: Task) =>
    task.session !== session && task.ts >= oldest && !isFaded(task, states);
  const left = tasksLeft(all).filter(isLeft);
  const open = [...own.filter(isOpen), ...left].slice(0, MOST_TASKS);
  const contradicted = all.filter(({ contradictedBy }) => contradictedBy !== undefined);
  return [...open, ...contradicted].map((task) => lineOf(taskThing(task), TITLE));
}

const COMMAND = 200;
const PATH = 200;
const MOST_FILES = 12;

export function toolStateCandidates(
  recent: readonly BriefEvent[],
  found: readonly Scored[],
  { query, session }: Pick<FileRequest, "query" | "session">,
): Candidate[] {
  const state = stateOf(recent, session);
  const { touches, works } = touchesOf(inTime([...recent, ...found.map(({ hit }) => hit.event)]));
  const hits = found.map(({ hit, score }) => ({ work: works.get(hit.event.id), score }));
  const lastTouch = new Map(touches.map(({ path, event }) => [path, event]));
  const files = relevantFiles({ query, session, found: hits, touches }, MOST_FILES);
  const commands = state ? commandNotes(state, COMMAND) : [];
  const fileNotes = files.map(({ path }) => note("file", path, lastTouch.get(path) ?? "", PATH));
  return [...commands, ...fileNotes].map((each) => fromNote("tool_state", each));
}
