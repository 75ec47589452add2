import { isAbsolute, relative, resolve, sep } from "node:path";
import { composed } from "../../ground/core/text.ts";
import type { EventDraft, Place } from "../kinds/event.ts";
import { commandParts } from "../kinds/texts/command-lines.ts";
import { known } from "../transcripts/fields.ts";
import type {
  Fields,
  Finished,
  Meaning,
  TaskChange,
  ToolAnswer,
  ToolCall,
  ToolTarget,
} from "../transcripts/transcript.ts";
import { HUMAN, type LineContext } from "./line-context.ts";
import { addEntry, hashOf, type ReadingState, takeEntry } from "./reading-state.ts";

const MOST_WORDS = 6;
/** What a person made of a call. */
const OF_A_PERSON: readonly Meaning["outcome"][] = ["refused_by_user", "not_accepted"];

export function callEvents(call: ToolCall, context: LineContext): EventDraft[] {
  const { state, reader, place, at, agent, draft } = context;
  addEntry(state.calls, call.call, at);
  const target = reader.targetOf(call);
  if (target.isSaidByAnswer) return [];
  const content = { tool: call.tool, ...shown(target, place), ...rest(call.input, target) };
  return [draft(call.call, { kind: "tool_call", actor: agent, content })];
}

export function answerEvents(answer: ToolAnswer, context: LineContext): EventDraft[] {
  const { reader, idOf, state } = context;
  const at = takeEntry(state.calls, answer.call);
  const asked = callAt(answer.call, at, context);
  const call: ToolCall = asked?.call ?? { call: answer.call, tool: "unknown", input: {} };
  const meaning = reader.meaningOf(call, answer);
  if (meaning.goesOn && at !== undefined) noteBackground(answer.call, meaning, at, state);
  const refs =
    asked && !reader.targetOf(call).isSaidByAnswer ? [idOf(answer.call, asked.line)] : [];
  const { tasks, decisions = [] } = meaning;
  const isSaidElsewhere = tasks !== undefined || decisions.length > 0;
  return [
    ...(isSaidElsewhere ? [] : [resultEvent(call, answer, meaning, refs, context)]),
    ...taskEvents(call, tasks ?? [], context),
    ...decisions.map((choice, index) =>
      context.draft(`${call.call}:decision:${index}`, {
        kind: "decision",
        actor: HUMAN,
        content: choice,
        refs,
      }),
    ),
  ];
}

/** What came in the end of a call that went on in the background: one more result of it. */
export function finishedEvents(
  { id, call: by, text, outcome, goesOn }: Finished,
  context: LineContext,
): EventDraft[] {
  const { state, idOf } = context;
  const key = hashOf(JSON.stringify([id, text, outcome, goesOn]));
  state.ended ??= {};
  if (state.ended[key]) return [];
  addEntry(state.ended, key, true);
  const [name = by, at] = state.background?.[by ?? id] ?? state.background?.[id] ?? [];
  const asked = name === undefined ? undefined : callAt(name, at, context);
  const call: ToolCall = asked?.call ?? { call: name ?? id, tool: "unknown", input: {} };
  const isCommand = call.input.command !== undefined;
  const meaning = { text, ...known({ outcome, goesOn, childAgent: isCommand ? undefined : id }) };
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

/** A call on a line, and that line; undefined where it was not recorded. */
function callAt(name: string, at: number | undefined, { recall }: LineContext) {
  for (const line of at === undefined ? [] : recall(at))
    for (const said of line.says)
      if (said.kind === "call" && said.call === name) return { call: said, line };
  return undefined;
}

function resultEvent(
  call: ToolCall,
  answer: Pick<ToolAnswer, "call" | "images">,
  { outcome, reason, text, lineRange, commit, childAgent, goesOn }: Meaning,
  refs: readonly string[],
  { state, reader, place, draft, idOf }: LineContext,
): EventDraft {
  const part = `${answer.call}:result`;
  const target = reader.targetOf(call);
  // What goes on has not succeeded yet.
  const settles = goesOn
    ? undefined
    : settled(normalForm(call, target), outcome, idOf(part), state);
  const content = {
    tool: call.tool,
    ...shown(target, place),
    text,
    ...known({
      line_range: lineRange,
      outcome,
      reason,
      commit,
      child_agent: childAgent,
      goes_on: goesOn,
      settles,
    }),
    ...(answer.images.length > 0 && { images: answer.images }),
  };
  return draft(part, {
    kind: "tool_result",
    actor: OF_A_PERSON.includes(outcome) ? HUMAN : { type: "tool", id: `tool.${call.tool}` },
    content,
    refs: settles === undefined ? refs : [...refs, settles],
    ...(commit && { tags: [`commit:${commit.sha}`] }),
  });
}

/** The same text for calls that do the same work, whatever their flags and pipes; undefined where nothing says so. @internal */
export function normalForm({ tool }: ToolCall, { command, path }: ToolTarget): string | undefined {
  if (command === undefined) return path === undefined ? undefined : `${tool} ${path}`;
  return commandParts(command).at(-1)?.slice(0, MOST_WORDS).join(" ");
}

/** The failure that a success settles; a failure waits for one. */
function settled(
  form: string | undefined,
  outcome: Meaning["outcome"],
  event: string,
  state: ReadingState,
) {
  const isWork = outcome !== "cascade" && outcome !== "stopped" && !OF_A_PERSON.includes(outcome);
  if (form === undefined || !isWork) return undefined;
  const key = hashOf(form);
  if (outcome === undefined) return takeEntry(state.failures, key);
  addEntry(state.failures, key, event);
  return undefined;
}

/** A list of tasks that is written as a whole gives an event for each task that is not as it was. */
function taskEvents(
  { call, tool }: ToolCall,
  tasks: readonly TaskChange[],
  { state, agent, draft }: LineContext,
) {
  return tasks.flatMap(({ task, ...change }, index) => {
    const [key, now] = [hashOf(task), hashOf(JSON.stringify([tool, change]))];
    const isList = task === change.title;
    if (isList && state.todos[key] === now) return [];
    if (isList) addEntry(state.todos, key, now);
    return [
      draft(`${call}:task:${index}`, {
        kind: "task_update",
        actor: agent,
        content: { task, ...change },
      }),
    ];
  });
}

/** What the call works on; a path below the worktree is relative to it. */
function shown({ path, otherPaths, edits, command, childTask }: ToolTarget, place: Place): Fields {
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
  const way = relative(composed(worktree), whole);
  return !isAbsolute(whole) || way.startsWith("..") || isAbsolute(way)
    ? path
    : way.split(sep).join("/");
}

function rest(input: Fields, { path, command, childTask }: ToolTarget): Fields {
  const said: readonly unknown[] = [path, command, childTask];
  const others = Object.entries(input).filter(([, value]) => !said.includes(value));
  return others.length === 0 ? {} : { input: Object.fromEntries(others) };
}
