/** The progress of a session: whether its last request was answered, how it ended, and which failures are open. All summaries use these rules. Pure. */
import { type BriefEvent, identityIn } from "../kinds/event.ts";
import { isOfChildAgent } from "../kinds/kind.ts";
import { isFromPerson, isOfOtherVoice } from "../kinds/message.ts";
import { COMMIT, commandSignatures } from "../kinds/texts/command-lines.ts";
import { isCommandAlone } from "../kinds/texts/requests.ts";
import { outcomeOf } from "../kinds/tool-result.ts";

export interface Turn {
  /** `asked`: the agent hasn't reacted yet. `working`: it has, but hasn't given a final reply. */
  readonly state: "answered" | "asked" | "working" | "interrupted";
  /** The client's reason for the end. Undefined while the session runs or if none is recorded. */
  readonly reason: string | undefined;
}

/** `cleared` is the client's `/clear`. `broken off` means that it ended in the middle of the agent's work. */
export type SessionEnd = "finished" | "interrupted" | "cleared" | "broken off";

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

/** Open failures by identity, the earliest first. Showing a settled failure is worse than hiding an open one, so any sign settles it. */
export type Unsettled = Map<string, BriefEvent>;

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
