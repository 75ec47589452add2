/** The session's last commands, and the files that it will probably need next. Pure. */
import { note } from "../../answers/render.ts";
import { type BriefEvent, inTime } from "../../kinds/event.ts";
import { type FileRequest, relevantFiles, touchesOf } from "../../projections/relevant-files.ts";
import { commandNotes } from "../../resume/notes/notes.ts";
import { type Candidate, fromNote } from "../candidates.ts";
import type { Scored } from "../scoring.ts";
import { stateOf } from "./task-state.ts";

const COMMAND = 200;
const PATH = 200;
const MOST_FILES = 12;

export function toolStateCandidates(
  recent: readonly BriefEvent[],
  found: readonly Scored[],
  { query, session }: Pick<FileRequest, "query" | "session">,
): Candidate[] {
  const state = stateOf(recent, session);
  const hits = found.map(({ hit: { event }, score }) => ({
    event: event.id,
    session: event.session,
    score,
  }));
  const touches = touchesOf(inTime([...recent, ...found.map(({ hit }) => hit.event)]));
  const lastTouch = new Map(touches.map(({ path, event }) => [path, event]));
  const files = relevantFiles({ query, session, found: hits, touches }, MOST_FILES);
  const notes = [
    ...(state ? commandNotes(state, COMMAND) : []),
    ...files.map(({ path }) => note("file", path, lastTouch.get(path) ?? "", PATH)),
  ];
  return notes.map((each) => fromNote("tool_state", each));
}
