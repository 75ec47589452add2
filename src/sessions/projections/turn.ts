/** How it stands with what was asked last, and so how a session ended: one rule for all who tell it. Pure. */
import type { BriefEvent } from "../kinds/event.ts";
import { isOfChildAgent } from "../kinds/kind.ts";
import { isFromPerson, isOfOtherVoice } from "../kinds/message.ts";
import { isCommandAlone } from "../kinds/texts/requests.ts";

export interface Turn {
  /** `asked`: the agent has not said or done anything since. `working`: it has, and not had the last word. */
  readonly state: "answered" | "asked" | "working" | "interrupted";
  /** Why the client says that the session ended; undefined as long as it goes on, or nobody said. */
  readonly reason: string | undefined;
}

/** `cleared` is the client's `/clear`; `broken off` is in the middle of the agent's work, without a word of the person. */
type SessionEnd = "finished" | "interrupted" | "cleared" | "broken off";

export const NO_TURN: Turn = { state: "answered", reason: undefined };

/** The reason that a client gives. */
const CLEARED = "clear";

/** After one more event of the session. A result changes nothing: what it is of was called before. */
export function turnAfter(turn: Turn, event: BriefEvent): Turn {
  const { kind, content } = event;
  if (isOfChildAgent(event)) return turn;
  if (kind === "session" && content.event === "end")
    return { ...turn, reason: content.reason ?? "" };
  // What follows the end of a session only where it was resumed.
  if (kind === "tool_result") return { ...turn, reason: undefined };
  // Gemini CLI writes down what it was doing after it was stopped.
  if (kind === "tool_call")
    return { state: turn.state === "interrupted" ? turn.state : "working", reason: undefined };
  if (kind !== "message" || isOfOtherVoice(event)) return turn;
  if (!isFromPerson(event)) return { state: "answered", reason: undefined };
  if (content.interrupted === true) return { state: "interrupted", reason: undefined };
  const isRequest = !isCommandAlone(content.text ?? "");
  return { state: isRequest ? "asked" : turn.state, reason: undefined };
}

export function endOf({ state, reason }: Turn): SessionEnd {
  if (reason === CLEARED) return "cleared";
  return state === "interrupted" ? state : state === "answered" ? "finished" : "broken off";
}
