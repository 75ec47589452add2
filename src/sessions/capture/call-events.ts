import { isAbsolute, resolve } from "node:path";
import { nameInProject } from "../../ground/clients/hook-event.ts";
import { composed } from "../../ground/core/text.ts";
import type { EventDraft, Place } from "../kinds/event.ts";
import { targetOf } from "../transcripts/tool-targets.ts";
import type {
  Fields,
  Finished,
  Meaning,
  TaskChange,
  ToolAnswer,
  ToolCall,
  ToolTarget,
  TranscriptLine,
  TranscriptReader,
} from "../transcripts/transcript.ts";
import { addEntry, hashOf, type ReadingState, takeEntry } from "./capture-state.ts";
import { HUMAN, type LineContext } from "./line-context.ts";

/** Outcomes that the user caused. */
const BY_USER: readonly Meaning["outcome"][] = ["refused_by_user", "not_accepted"];

export function callEvents(call: ToolCall, context: LineContext): EventDraft[] {
  const { state, reader, place, at, agent } = context;
  addEntry(state.calls, call.call, at);
  if (isSaidByAnswer(call, reader)) return [];
  const target = targetOf(call, reader);
  const input = otherInput(call.input, target);
  const content = { tool: call.tool, ...inWorktree(target, place), input };
  return [context.draft(call.call, { kind: "tool_call", actor: agent, content })];
}

export function answerEvents(answer: ToolAnswer, context: LineContext): EventDraft[] {
  const { reader, idOf, state } = context;
  const at = takeEntry(state.calls, answer.call);
  const asked = findCall(answer.call, at, context);
  const call: ToolCall = asked?.call ?? { call: answer.call, tool: "unknown", input: {} };
  const meaning = reader.meaningOf(call, answer);
  if (meaning.goes_on && at !== undefined) noteBackground(answer.call, meaning, at, state);
  const refs: string[] = [];
  if (asked && !isSaidByAnswer(call, reader)) refs.push(idOf(answer.call, asked.line));
  const { tasks, decisions = [] } = meaning;
  const events: EventDraft[] = [];
  if (tasks === undefined && decisions.length === 0)
    events.push(resultEvent(call, answer, meaning, refs, context));
  events.push(...taskEvents(call, tasks ?? [], context));
  for (const [index, content] of decisions.entries())
    events.push(
      context.draft(`${call.call}:decision:${index}`, {
        kind: "decision",
        actor: HUMAN,
        content,
        refs,
      }),
    );
  return events;
}

/** Adds a second result to a call that continued in the background, when it ends. */
export function finishedEvents(finished: Finished, context: LineContext): EventDraft[] {
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
  for (const id of new Set([call, task ?? child_agent ?? call]))
    addEntry(state.background, id, [call, at] as const);
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
  if (at === undefined) return undefined;
  for (const line of recall(at)) {
    const call = line.says.find((said) => said.kind === "call" && said.call === name);
    if (call?.kind === "call") return { call, line };
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
      if (state.todos[key] === now) continue;
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
    if (worktree === undefined) return path;
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
