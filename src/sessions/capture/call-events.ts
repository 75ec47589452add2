import { isAbsolute, relative, resolve, sep } from "node:path";
import { composed } from "../../ground/core/text.ts";
import type { EventDraft, Place } from "../kinds/event.ts";
import { commandParts } from "../kinds/texts/command-lines.ts";
import { known } from "../transcripts/fields.ts";
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
import { HUMAN, type LineContext } from "./line-context.ts";
import { addEntry, hashOf, type ReadingState, takeEntry } from "./reading-state.ts";

const MOST_WORDS = 6;
/** Outcomes that the user caused. */
const BY_USER: readonly Meaning["outcome"][] = ["refused_by_user", "not_accepted"];
/** Outcomes that don't show whether the work itself failed. */
const NO_WORK: readonly Meaning["outcome"][] = ["cascade", "stopped", ...BY_USER];

export function callEvents(call: ToolCall, context: LineContext): EventDraft[] {
  const { state, reader, place, at, agent } = context;
  addEntry(state.calls, call.call, at);
  if (isSaidByAnswer(call, reader)) return [];
  const target = targetOf(call, reader);
  const content = {
    tool: call.tool,
    ...targetFields(target, place),
    ...otherInput(call.input, target),
  };
  return [context.draft(call.call, { kind: "tool_call", actor: agent, content })];
}

export function answerEvents(answer: ToolAnswer, context: LineContext): EventDraft[] {
  const { reader, idOf, state } = context;
  const at = takeEntry(state.calls, answer.call);
  const asked = findCall(answer.call, at, context);
  const call: ToolCall = asked?.call ?? { call: answer.call, tool: "unknown", input: {} };
  const meaning = reader.meaningOf(call, answer);
  if (meaning.goesOn && at !== undefined) noteBackground(answer.call, meaning, at, state);
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
  const { state, idOf } = context;
  const { id, text, outcome, goesOn } = finished;
  const key = hashOf(JSON.stringify([id, text, outcome, goesOn]));
  state.ended ??= {};
  if (state.ended[key]) return [];
  addEntry(state.ended, key, true);
  const by = finished.call;
  const [name = by, at] = state.background?.[by ?? id] ?? state.background?.[id] ?? [];
  const asked = name === undefined ? undefined : findCall(name, at, context);
  const call: ToolCall = asked?.call ?? { call: name ?? id, tool: "unknown", input: {} };
  const isCommand = call.input.command !== undefined;
  const meaning = { text, outcome, goesOn, childAgent: isCommand ? undefined : id };
  const refs = asked ? [idOf(call.call, asked.line)] : [];
  return [resultEvent(call, { call: call.call, images: [] }, meaning, refs, context)];
}

function noteBackground(
  call: string,
  { childAgent, task }: Meaning,
  at: number,
  state: ReadingState,
): void {
  state.background ??= {};
  for (const id of new Set([call, task ?? childAgent ?? call]))
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
  meaning: Meaning,
  refs: readonly string[],
  { state, reader, place, draft, idOf }: LineContext,
): EventDraft {
  const { outcome, reason, text, lineRange, commit, childAgent, goesOn } = meaning;
  const part = `${answer.call}:result`;
  const target = targetOf(call, reader);
  // A call that continues in the background has not succeeded yet.
  const settles = goesOn
    ? undefined
    : settledFailure(normalForm(call, target), outcome, idOf(part), state);
  const fields = {
    line_range: lineRange,
    outcome,
    reason,
    commit,
    child_agent: childAgent,
    goes_on: goesOn,
    settles,
    images: answer.images.length > 0 ? answer.images : undefined,
  };
  const event = draft(part, {
    kind: "tool_result",
    actor: BY_USER.includes(outcome) ? HUMAN : { type: "tool", id: `tool.${call.tool}` },
    content: { tool: call.tool, ...targetFields(target, place), text, ...known(fields) },
    refs: settles === undefined ? refs : [...refs, settles],
  });
  return commit ? { ...event, tags: [`commit:${commit.sha}`] } : event;
}

/** Returns equal texts for calls that do the same work, even with other flags and pipes. Undefined for calls without a command or path. @internal */
export function normalForm({ tool }: ToolCall, { command, path }: ToolTarget): string | undefined {
  if (command !== undefined) return commandParts(command).at(-1)?.slice(0, MOST_WORDS).join(" ");
  return path === undefined ? undefined : `${tool} ${path}`;
}

/** Returns the id of the failure that a success settles. A failure is only remembered. @param form of the call. */
function settledFailure(
  form: string | undefined,
  outcome: Meaning["outcome"],
  event: string,
  state: ReadingState,
): string | undefined {
  if (form === undefined || NO_WORK.includes(outcome)) return undefined;
  const key = hashOf(form);
  if (outcome === undefined) return takeEntry(state.failures, key);
  addEntry(state.failures, key, event);
  return undefined;
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

/** The files, command or child task of a call. A path inside the worktree is made relative to it. */
function targetFields(target: ToolTarget, place: Place): Fields {
  const { path, otherPaths, edits, command, childTask } = target;
  return known({
    path: path && inWorktree(path, place),
    other_paths: otherPaths?.map((other) => inWorktree(other, place)),
    edits,
    command,
    child_task: childTask,
  });
}

function inWorktree(named: string, { worktree, cwd }: Place): string {
  const path = composed(named);
  if (worktree === undefined) return path;
  const whole = isAbsolute(path) || cwd === undefined ? path : resolve(composed(cwd), path);
  const below = relative(composed(worktree), whole);
  const isOutside = !isAbsolute(whole) || below.startsWith("..") || isAbsolute(below);
  return isOutside ? path : below.split(sep).join("/");
}

/** The input of a call without the values that are in its target. */
function otherInput(input: Fields, { path, command, childTask }: ToolTarget): Fields {
  const said: readonly unknown[] = [path, command, childTask];
  const others = Object.entries(input).filter(([, value]) => !said.includes(value));
  return others.length === 0 ? {} : { input: Object.fromEntries(others) };
}
