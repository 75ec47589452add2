/** Requests that a person types while the agent works. */
import type { Said } from "../clients/transcript.ts";
import { type ReadingState, withLast } from "./reading-state.ts";

/**
 * The requests that a change of the queue delivers to the agent in the middle of its work. Those that are taken at the end of a
 * turn have a line of their own. Some versions of a client say a delivery twice: it counts once.
 *
 * @param state whose queue changes.
 */
export function deliveredRequests(
  { change, text }: Extract<Said, { kind: "queue" }>,
  state: ReadingState,
): readonly string[] {
  if (change === "added") state.queue = withLast(state.queue, text);
  if (change === "taken") state.queue = state.queue.slice(1);
  if (change === "emptied") state.queue = [];
  if (change !== "delivered") return [];
  // The queue says that its first one went; what the client attached says which.
  const by = text === "" ? "queue" : "attachment";
  const twice = state.delivered.findIndex((one) => one.by !== by && (by === "queue" || one.text === text));
  if (twice >= 0) {
    state.delivered = state.delivered.filter((_, index) => index !== twice);
    return [];
  }
  const at = by === "queue" ? 0 : state.queue.indexOf(text);
  const request = by === "queue" ? state.queue[0] : text;
  state.queue = state.queue.filter((_, index) => index !== at);
  if (request === undefined || request === "") return [];
  state.delivered = withLast(state.delivered, { text: request, by });
  return [request];
}
