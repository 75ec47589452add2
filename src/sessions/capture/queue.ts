/** Requests that a person types while the agent works. */
import type { Said, TranscriptLine } from "../transcripts/transcript.ts";
import type { PlacedLine } from "./line-context.ts";
import { hashOf, type ReadingState, withLast } from "./reading-state.ts";

type Queued = Extract<Said, { kind: "queue" }>;

/**
 * The requests that a change of the queue delivers to the agent in the middle of its work. Those that are taken at the end of a
 * turn have a line of their own. Some versions of a client say a delivery twice: it counts once.
 * @param state whose queue changes.
 */
export function deliveredRequests(
  { change, text }: Queued,
  { at, recall }: Pick<PlacedLine, "at" | "recall">,
  state: ReadingState,
): readonly string[] {
  if (change === "added") state.queue = withLast(state.queue, at);
  if (change === "taken") state.queue = state.queue.slice(1);
  if (change === "emptied") state.queue = [];
  if (change !== "delivered") return [];
  // The queue says that its first one went; what the client attached says which.
  const by = text === "" ? "queue" : "attachment";
  const isSame = (one: ReadingState["delivered"][number]) => by === "queue" || one.text === hashOf(text);
  const twice = state.delivered.findIndex((one) => one.by !== by && isSame(one));
  if (twice >= 0) {
    state.delivered = state.delivered.filter((_, index) => index !== twice);
    return [];
  }
  const textAt = (place: number | undefined) => (place === undefined ? undefined : queuedAt(recall(place)));
  const which = by === "queue" ? state.queue[0] : state.queue.find((place) => textAt(place) === text);
  const request = by === "queue" ? textAt(which) : text;
  state.queue = state.queue.filter((place) => place !== which);
  if (request === undefined || request === "") return [];
  state.delivered = withLast(state.delivered, { text: hashOf(request), by });
  return [request];
}

function queuedAt(lines: readonly TranscriptLine[]): string | undefined {
  const changes = lines.flatMap(({ says }) => says).filter((said): said is Queued => said.kind === "queue");
  return changes.find(({ change }) => change === "added")?.text;
}
