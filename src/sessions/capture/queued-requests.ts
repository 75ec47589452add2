/** Follows the queue of requests that a user types while the agent works. */
import type { Said, Spoken, TranscriptLine } from "../transcripts/transcript.ts";
import { hashOf, type ReadingState, withLast } from "./capture-state.ts";

/** The line with a change, and the lines before it. */
interface QueueContext {
  /** The start of the line in the transcript. */
  readonly at: number;
  /** Returns the lines that start at an earlier place. */
  readonly recall: (at: number) => readonly TranscriptLine[];
  readonly state: ReadingState;
}

/** A change of the queue. */
type Queued = Extract<Said, { kind: "queue" }>;

/** The request that a change of the queue delivers in the middle of the agent's work. */
export function deliveredRequest(queued: Queued, context: QueueContext): Spoken | undefined {
  const { state, at } = context;
  switch (queued.change) {
    case "added":
      state.queue = withLast(state.queue, at);
      return undefined;
    case "taken":
      state.queue = state.queue.slice(1);
      return undefined;
    case "emptied":
      state.queue = [];
      return undefined;
    case "delivered":
      return isSaidTwice(queued, state) ? undefined : takeFromQueue(queued, context);
  }
}

/**
 * Whether the other report of this delivery was read before. Some versions of Claude Code report a delivery twice: as a removal from the
 * queue, and as an attachment with the text. Forgets the other report.
 */
function isSaidTwice({ text }: Queued, state: ReadingState): boolean {
  const by = text === "" ? "queue" : "attachment";
  const hash = hashOf(text);
  const other = state.delivered.findIndex(
    (one) => one.by !== by && (by === "queue" || one.text === hash),
  );
  if (other < 0) {
    return false;
  }
  state.delivered = state.delivered.filter((_, index) => index !== other);
  return true;
}

function takeFromQueue(queued: Queued, { recall, state }: QueueContext): Spoken | undefined {
  const isByQueue = queued.text === "";
  const queuedIn = (start: number) =>
    recall(start)
      .flatMap(({ says }) => says)
      .find((said): said is Queued => said.kind === "queue" && said.change === "added");
  const start = isByQueue
    ? state.queue[0]
    : state.queue.find((waiting) => queuedIn(waiting)?.text === queued.text);
  const waiting = start === undefined ? undefined : queuedIn(start);
  const request = isByQueue ? waiting : queued;
  state.queue = state.queue.filter((one) => one !== start);
  if (request === undefined || request.text === "") {
    return undefined;
  }
  const by = isByQueue ? "queue" : "attachment";
  state.delivered = withLast(state.delivered, { text: hashOf(request.text), by });
  return request;
}
