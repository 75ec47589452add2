import { isAbsolute, resolve } from "node:path";
import { nameInProject } from "../../ground/clients/hook-event.ts";
import { composed } from "../../ground/core/text.ts";
import {
  type Actor,
  type Content,
  type EventDraft,
  eventId,
  identityFrom,
  type Place,
} from "../kinds/event.ts";
import { acceptedPlan, handedPlan } from "../transcripts/meanings.ts";
import { targetOf } from "../transcripts/tool-targets.ts";
import type {
  Fields,
  Finished,
  Meaning,
  Said,
  TaskChange,
  ToolAnswer,
  ToolCall,
  ToolTarget,
  TranscriptLine,
  TranscriptReader,
  Voice,
} from "../transcripts/transcript.ts";
import { addEntry, hashOf, type ReadingState, takeEntry } from "./capture-state.ts";
import { deliveredRequest } from "./queued-requests.ts";

/** Makes the events of a line, in order. The same line always gives the same events. */
export function eventsOf(placed: PlacedLine): EventDraft[] {
  const context = contextOf(placed);
  const { state } = placed;
  const { says } = placed.line;
  const events = says.flatMap((said, index) => eventsOfSaid(said, String(index), context));
  const isOpening = events.length > 0 || says.some(({ kind }) => kind === "opening");
  if (!isOpening || state.isStarted) {
    return events;
  }
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
      if (line.childAgent !== undefined) {
        return [];
      }
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
  if (!plan) {
    return [message];
  }
  const { title, parent } = plan;
  const decision = { ...acceptedPlan(title), carries_out: title, parent };
  const refs = [context.idOf(part)];
  return [
    message,
    context.draft(`${part}:plan`, { kind: "decision", actor: HUMAN, content: decision, refs }),
  ];
}

/** Outcomes that the user caused. */
const BY_USER: readonly Meaning["outcome"][] = ["refused_by_user", "not_accepted"];

function callEvents(call: ToolCall, context: LineContext): EventDraft[] {
  const { state, reader, place, at, agent } = context;
  addEntry(state.calls, call.call, at);
  if (isSaidByAnswer(call, reader)) {
    return [];
  }
  const target = targetOf(call, reader);
  const input = otherInput(call.input, target);
  const content = { tool: call.tool, ...inWorktree(target, place), input };
  return [context.draft(call.call, { kind: "tool_call", actor: agent, content })];
}

function answerEvents(answer: ToolAnswer, context: LineContext): EventDraft[] {
  const { reader, idOf, state } = context;
  const at = takeEntry(state.calls, answer.call);
  const asked = findCall(answer.call, at, context);
  const call: ToolCall = asked?.call ?? { call: answer.call, tool: "unknown", input: {} };
  const meaning = reader.meaningOf(call, answer);
  if (meaning.goes_on && at !== undefined) {
    noteBackground(answer.call, meaning, at, state);
  }
  const refs: string[] = [];
  if (asked && !isSaidByAnswer(call, reader)) {
    refs.push(idOf(answer.call, asked.line));
  }
  const { tasks, decisions = [] } = meaning;
  const events: EventDraft[] = [];
  if (tasks === undefined && decisions.length === 0) {
    events.push(resultEvent(call, answer, meaning, refs, context));
  }
  events.push(...taskEvents(call, tasks ?? [], context));
  for (const [index, content] of decisions.entries()) {
    events.push(
      context.draft(`${call.call}:decision:${index}`, {
        kind: "decision",
        actor: HUMAN,
        content,
        refs,
      }),
    );
  }
  return events;
}

/** Adds a second result to a call that continued in the background, when it ends. */
function finishedEvents(finished: Finished, context: LineContext): EventDraft[] {
  const { state, idOf, reader, session } = context;
  const { id, text, outcome, goes_on, call: by } = finished;
  const [name = by, at] = state.background?.[by ?? id] ?? state.background?.[id] ?? [];
  const asked = name === undefined ? undefined : findCall(name, at, context);
  const call: ToolCall = asked?.call ?? { call: name ?? id, tool: "unknown", input: {} };
  const isCommand = call.input.command !== undefined;
  const meaning = { text, outcome, goes_on, child_agent: isCommand ? undefined : id };
  const refs = asked ? [idOf(call.call, asked.line)] : [];
  const event = resultEvent(call, { call: call.call, images: [] }, meaning, refs, context);
  // The client may write each notice three times, and again in a session that continues this one. They are one event.
  const notice = hashOf(JSON.stringify([id, text, outcome, goes_on]));
  return [{ ...event, origin: `${reader.agent}:${name ?? session}:${notice}` }];
}

function noteBackground(
  call: string,
  { child_agent, task }: Meaning,
  at: number,
  state: ReadingState,
): void {
  state.background ??= {};
  for (const id of new Set([call, task ?? child_agent ?? call])) {
    addEntry(state.background, id, [call, at] as const);
  }
}

/** Whether the call itself need not be recorded, because the answer contains all of it. */
function isSaidByAnswer({ tool }: ToolCall, { taskTools = [] }: TranscriptReader): boolean {
  return taskTools.includes(tool);
}

interface FoundCall {
  readonly call: ToolCall;
  readonly line: TranscriptLine;
}

/** Finds a call and its line. Undefined if it wasn't recorded. @param at the start of the line. */
function findCall(
  name: string,
  at: number | undefined,
  { recall }: LineContext,
): FoundCall | undefined {
  if (at === undefined) {
    return undefined;
  }
  for (const line of recall(at)) {
    const call = line.says.find((said) => said.kind === "call" && said.call === name);
    if (call?.kind === "call") {
      return { call, line };
    }
  }
  return undefined;
}

function resultEvent(
  call: ToolCall,
  answer: Pick<ToolAnswer, "call" | "images">,
  { tasks: _tasks, decisions: _decisions, task: _task, ...meaning }: Meaning,
  refs: readonly string[],
  { reader, place, draft }: LineContext,
): EventDraft {
  const { outcome, commit } = meaning;
  const { tool } = call;
  const images = answer.images.length > 0 ? answer.images : undefined;
  const event = draft(`${answer.call}:result`, {
    kind: "tool_result",
    actor: BY_USER.includes(outcome) ? HUMAN : { type: "tool", id: `tool.${tool}` },
    content: { tool, ...inWorktree(targetOf(call, reader), place), ...meaning, images },
    refs,
  });
  return commit ? { ...event, tags: [`commit:${commit.sha}`] } : event;
}

/** Makes an event for each changed task, because agents write some task lists as a whole. */
function taskEvents(
  { call, tool }: ToolCall,
  tasks: readonly TaskChange[],
  { state, agent, draft }: LineContext,
): EventDraft[] {
  const events: EventDraft[] = [];
  for (const [index, { task, ...change }] of tasks.entries()) {
    if (task === change.title) {
      const key = hashOf(task);
      const now = hashOf(JSON.stringify([tool, change]));
      if (state.todos[key] === now) {
        continue;
      }
      addEntry(state.todos, key, now);
    }
    const content = { task, ...change };
    events.push(draft(`${call}:task:${index}`, { kind: "task_update", actor: agent, content }));
  }
  return events;
}

/** A target whose paths inside the worktree are relative to it. */
function inWorktree(target: ToolTarget, { worktree, cwd = "" }: Place): ToolTarget {
  const nameOf = (named: string): string => {
    const path = composed(named);
    if (worktree === undefined) {
      return path;
    }
    const whole = isAbsolute(cwd) ? resolve(composed(cwd), path) : path;
    return (isAbsolute(whole) && nameInProject(whole, worktree)) || path;
  };
  const { path, other_paths } = target;
  return { ...target, path: path && nameOf(path), other_paths: other_paths?.map(nameOf) };
}

/** The input of a call without the values that are in its target. Undefined if nothing is left. */
function otherInput(input: Fields, { path, command, child_task }: ToolTarget): Fields | undefined {
  const said: readonly unknown[] = [path, command, child_task];
  const others = Object.entries(input).filter(([, value]) => !said.includes(value));
  return others.length === 0 ? undefined : Object.fromEntries(others);
}

const HUMAN: Actor = { type: "human", id: "user" };

/** The actor of a message with the user's role: the user, or a tool if another agent or a program wrote it. */
const actorOf = (voice: Voice): Actor => (voice === "user" ? HUMAN : { type: "tool", id: voice });

/** A line with the session, time and place that it may have taken from the lines before. */
export interface PlacedLine {
  readonly line: TranscriptLine;
  readonly session: string;
  /** ISO 8601. */
  readonly ts: string;
  readonly place: Place;
  /** The session that this one continues. */
  readonly parent: string | undefined;
  /** Path of the transcript. */
  readonly transcript: string;
  /** The start of the line in the transcript. */
  readonly at: number;
  /** Returns the line that starts at an earlier place, or several if they aren't separated. */
  readonly recall: (at: number) => readonly TranscriptLine[];
  /** The state of the lines before. It's updated with this line. */
  readonly state: ReadingState;
  readonly reader: TranscriptReader;
}

type Drafted = Pick<EventDraft, "kind" | "actor" | "refs"> & { readonly content: object };

interface LineContext extends PlacedLine {
  /** The agent or child agent of the line. */
  readonly agent: Actor;
  /** The id of the event for a part of this line or of another one. */
  readonly idOf: (part: string, other?: TranscriptLine) => string;
  /** A draft of an event. `part` distinguishes it from others of the same line. */
  readonly draft: (part: string, drafted: Drafted) => EventDraft;
}

function contextOf(placed: PlacedLine): LineContext {
  const { line, session, ts, place, reader } = placed;
  const agent = line.childAgent === undefined ? reader.agent : `${reader.agent}/${line.childAgent}`;
  const originOf = (part: string, { id } = line): string => `${reader.agent}:${id}:${part}`;
  return {
    ...placed,
    agent: { type: "agent", id: agent },
    idOf: (part, other = line) =>
      eventId(Date.parse(other.ts ?? ts), identityFrom(originOf(part, other))),
    draft: (part, { content, ...event }) => ({
      ...event,
      session,
      agent,
      ts,
      place,
      origin: originOf(part),
      content: content as Content,
    }),
  };
}
