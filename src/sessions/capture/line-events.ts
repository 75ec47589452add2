import type { Actor, EventDraft } from "../kinds/event.ts";
import { acceptedPlan, handedPlan } from "../transcripts/meanings.ts";
import type { Said, Spoken, TranscriptLine } from "../transcripts/transcript.ts";
import { answerEvents, callEvents, finishedEvents } from "./call-events.ts";
import { hashOf, type ReadingState, withLast } from "./capture-state.ts";
import { actorOf, contextOf, HUMAN, type LineContext, type PlacedLine } from "./line-context.ts";

/** Makes the events of a line, in order. The same line always gives the same events. */
export function eventsOf(placed: PlacedLine): EventDraft[] {
  const context = contextOf(placed);
  const { state } = placed;
  const { says } = placed.line;
  const events = says.flatMap((said, index) => eventsOfSaid(said, String(index), context));
  const isOpening = events.length > 0 || says.some(({ kind }) => kind === "opening");
  if (!isOpening || state.isStarted) return events;
  state.isStarted = true;
  return [startOf(context), ...events];
}

function startOf(context: LineContext): EventDraft {
  const { line, session, ts, transcript, state, reader } = context;
  const request = line.says.find(
    (said): said is Request => said.kind === "request" && said.voice === "user",
  );
  const planned = request && handedPlan(request.text)?.parent;
  const content = {
    event: state.hasUnrecorded ? "resume" : "start",
    client: reader.agent,
    child_agent: line.childAgent,
    parent: planned ?? context.parent ?? state.parent,
    transcript,
  };
  const start = context.draft(`session:${session}`, {
    kind: "session",
    actor: { type: "agent", id: reader.agent },
    content,
  });
  // Events are read in order of time, and this one comes before the first message.
  return { ...start, ts: new Date(Date.parse(ts) - 1).toISOString() };
}

/** @param part distinguishes this part of a line from others. */
function eventsOfSaid(said: Said, part: string, context: LineContext): EventDraft[] {
  const { line, agent } = context;
  const one = (kind: EventDraft["kind"], actor: Actor, content: object): EventDraft[] => [
    context.draft(part, { kind, actor, content }),
  ];
  switch (said.kind) {
    case "opening":
      return [];
    case "request":
      return requestEvents(said, part, context);
    case "interruption":
      // The user stops the agent, and the agent stops its child agents.
      if (line.childAgent !== undefined) return [];
      return one("message", HUMAN, { text: "The user stopped the agent.", interrupted: true });
    case "reply":
      return one("message", agent, { text: said.text });
    case "call":
      return callEvents(said, context);
    case "answer":
      return answerEvents(said, context);
    case "finished":
      return finishedEvents(said, context);
    case "compaction":
      return one("session", agent, { event: "compact" });
    case "summary":
      return one("summary", agent, { text: said.text, of: "compaction" });
    case "title":
      return one("session", agent, { event: "title", title: said.text });
    case "queue": {
      const request = deliveredRequest(said, context);
      return request ? one("message", actorOf(request.voice), { text: request.text }) : [];
    }
  }
}

type Request = Extract<Said, { kind: "request" }>;

/** The events of a request, and of the plan that the request accepts. */
function requestEvents(said: Request, part: string, context: LineContext): EventDraft[] {
  const { reader, line } = context;
  const { text, images, voice } = said;
  // A child agent gets its requests from the agent that started it.
  const isFromAgent = line.childAgent !== undefined;
  const actor: Actor = isFromAgent ? { type: "agent", id: reader.agent } : actorOf(voice);
  const content = images.length > 0 ? { text, images } : { text };
  const message = context.draft(part, { kind: "message", actor, content });
  const plan = actor === HUMAN ? handedPlan(text) : undefined;
  if (!plan) return [message];
  const { title, parent } = plan;
  const decision = { ...acceptedPlan(title), carries_out: title, parent };
  const refs = [context.idOf(part)];
  return [
    message,
    context.draft(`${part}:plan`, { kind: "decision", actor: HUMAN, content: decision, refs }),
  ];
}

/** A change of the queue of requests that a user types while the agent works. */
type Queued = Extract<Said, { kind: "queue" }>;

/** The request that a change of the queue delivers in the middle of the agent's work. */
function deliveredRequest(queued: Queued, context: LineContext): Spoken | undefined {
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
  if (other < 0) return false;
  state.delivered = state.delivered.filter((_, index) => index !== other);
  return true;
}

function takeFromQueue(queued: Queued, { recall, state }: LineContext): Spoken | undefined {
  const isByQueue = queued.text === "";
  const queuedIn = (place: number) => addedIn(recall(place));
  const place = isByQueue
    ? state.queue[0]
    : state.queue.find((waiting) => queuedIn(waiting)?.text === queued.text);
  const waiting = place === undefined ? undefined : queuedIn(place);
  const request = isByQueue ? waiting : queued;
  state.queue = state.queue.filter((one) => one !== place);
  if (request === undefined || request.text === "") return undefined;
  const by = isByQueue ? "queue" : "attachment";
  state.delivered = withLast(state.delivered, { text: hashOf(request.text), by });
  return request;
}

function addedIn(lines: readonly TranscriptLine[]): Queued | undefined {
  for (const { says } of lines)
    for (const said of says) if (said.kind === "queue" && said.change === "added") return said;
  return undefined;
}
