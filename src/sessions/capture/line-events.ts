import type { EventDraft } from "../kinds/event.ts";
import { known } from "../transcripts/fields.ts";
import { acceptedPlan, handedPlan } from "../transcripts/handed-plan.ts";
import type { Said, Spoken, TranscriptLine, TranscriptReader } from "../transcripts/transcript.ts";
import { answerEvents, callEvents, finishedEvents } from "./call-events.ts";
import { actorOf, contextOf, HUMAN, type LineContext, type PlacedLine } from "./line-context.ts";
import { hashOf, type ReadingState, withLast } from "./reading-state.ts";

/** The events of a line, in order, and the same ones each time. @param state of the lines before; afterwards, of this one too. */
export function eventsOf(
  placed: PlacedLine,
  state: ReadingState,
  reader: TranscriptReader,
): EventDraft[] {
  const context = contextOf(placed, state, reader);
  const events = placed.line.says.flatMap((said, index) =>
    eventsOfSaid(said, String(index), context),
  );
  const isOpening = events.length > 0 || placed.line.says.some(({ kind }) => kind === "opening");
  if (!isOpening || state.isStarted) return events;
  state.isStarted = true;
  return [startOf(context), ...events];
}

function startOf({
  line,
  session,
  ts,
  transcript,
  state,
  reader,
  draft,
  ...placed
}: LineContext): EventDraft {
  const request = line.says.find(
    (said): said is Request => said.kind === "request" && said.voice === undefined,
  );
  const parent = (request && handedPlan(request.text)?.parent) ?? placed.parent ?? state.parent;
  const content = {
    event: state.hasUnrecorded ? "resume" : "start",
    client: reader.agent,
    ...known({ version: line.version, child_agent: line.childAgent, parent }),
    transcript,
  };
  const start = draft(`session:${session}`, {
    kind: "session",
    actor: { type: "agent", id: reader.agent },
    content,
  });
  // Events are read in order of time, and this one comes before what was said first.
  return { ...start, ts: new Date(Date.parse(ts) - 1).toISOString() };
}

function eventsOfSaid(said: Said, part: string, context: LineContext): EventDraft[] {
  const { draft, line, agent } = context;
  switch (said.kind) {
    case "request":
      return requestEvents(said, part, context);
    case "interruption": {
      // The person stops the agent, and that one its child agents.
      if (line.childAgent !== undefined) return [];
      const content = { text: "The user stopped the agent.", interrupted: true };
      return [draft(part, { kind: "message", actor: HUMAN, content })];
    }
    case "reply":
      return [draft(part, { kind: "message", actor: agent, content: { text: said.text } })];
    case "call":
      return callEvents(said, context);
    case "answer":
      return answerEvents(said, context);
    case "compaction": {
      const content = {
        event: "compact",
        ...known({ trigger: said.trigger, tokens_before: said.tokensBefore }),
      };
      return [draft(part, { kind: "session", actor: agent, content })];
    }
    case "summary":
      return [
        draft(part, {
          kind: "summary",
          actor: agent,
          content: { text: said.text, of: "compaction" },
        }),
      ];
    case "opening":
      return [];
    case "title":
      return [
        draft(part, {
          kind: "session",
          actor: agent,
          content: { event: "title", title: said.text },
        }),
      ];
    case "finished":
      return finishedEvents(said, context);
    case "queue":
      return deliveredRequests(said, context).map(({ text, voice }) =>
        draft(part, { kind: "message", actor: actorOf(voice), content: { text } }),
      );
  }
}

type Request = Extract<Said, { kind: "request" }>;

/** A request, and the plan that it accepts by having it carried out. */
function requestEvents(
  { text, images, voice }: Request,
  part: string,
  context: LineContext,
): EventDraft[] {
  const { reader, line, draft, idOf } = context;
  // A child agent gets its requests from the agent that started it.
  const actor =
    line.childAgent === undefined ? actorOf(voice) : ({ type: "agent", id: reader.agent } as const);
  const content = { text, ...(images.length > 0 && { images }) };
  const message = draft(part, { kind: "message", actor, content });
  const plan = actor === HUMAN ? handedPlan(text) : undefined;
  if (!plan) return [message];
  const decision = {
    ...acceptedPlan(plan.title),
    carries_out: plan.title,
    ...known({ parent: plan.parent }),
  };
  return [
    message,
    draft(`${part}:plan`, {
      kind: "decision",
      actor: HUMAN,
      content: decision,
      refs: [idOf(part)],
    }),
  ];
}

/** Requests that a person types while the agent works. */
type Queued = Extract<Said, { kind: "queue" }>;

/** The requests that a change of the queue delivers in the middle of the agent's work, each once: some versions of a client say it twice. */
function deliveredRequests(queued: Queued, { at, recall, state }: LineContext): readonly Spoken[] {
  const { change, text } = queued;
  if (change === "added") state.queue = withLast(state.queue, at);
  if (change === "taken") state.queue = state.queue.slice(1);
  if (change === "emptied") state.queue = [];
  if (change !== "delivered") return [];
  // The queue says that its first one went; what the client attached says which.
  const by = text === "" ? "queue" : "attachment";
  const isSame = (one: ReadingState["delivered"][number]) =>
    by === "queue" || one.text === hashOf(text);
  const twice = state.delivered.findIndex((one) => one.by !== by && isSame(one));
  if (twice >= 0) {
    state.delivered = state.delivered.filter((_, index) => index !== twice);
    return [];
  }
  const queuedIn = (place: number | undefined) =>
    place === undefined ? undefined : queuedAt(recall(place));
  const which =
    by === "queue" ? state.queue[0] : state.queue.find((place) => queuedIn(place)?.text === text);
  const request = by === "queue" ? queuedIn(which) : queued;
  state.queue = state.queue.filter((place) => place !== which);
  if (request === undefined || request.text === "") return [];
  state.delivered = withLast(state.delivered, { text: hashOf(request.text), by });
  return [request];
}

function queuedAt(lines: readonly TranscriptLine[]): Queued | undefined {
  const changes = lines
    .flatMap(({ says }) => says)
    .filter((said): said is Queued => said.kind === "queue");
  return changes.find(({ change }) => change === "added");
}
