/** What the tools of Claude Code do, and what came of a call: read from the call, the answer's text, and its structured form. */

import { EDIT_TOOLS } from "../../ground/clients/claude-code.ts";
import { choicesOf } from "./choice.ts";
import { fieldsOf, known, listOf, numberOf, textOf } from "./fields.ts";
import { commitIn } from "./git-commit.ts";
import { titleOf } from "./handed-plan.ts";
import { listedTasks, statusOf } from "./listed-tasks.ts";
import type { Choice, Fields, Meaning, Outcome, TaskChange, ToolAnswer, ToolCall, ToolTarget } from "./transcript.ts";

const TODO_LIST = "TodoWrite";
const TASK_TOOLS: readonly string[] = [TODO_LIST, "TaskCreate", "TaskUpdate"];
const CHILD_AGENT_TOOLS: readonly string[] = ["Task", "Agent"];
/** States of a child agent that works on after its call was answered. */
const IN_BACKGROUND: readonly unknown[] = ["async_launched", "remote_launched", "teammate_spawned"];
const LAUNCHED =
  /^Command (?:running in background with|was (?:manually )?(?:moved to the background|backgrounded)[^\n]*?) ?\(?ID: (\w+)/;
const QUESTION = "AskUserQuestion";
const PLAN = "ExitPlanMode";

/** The client tells the agent in words what came of a call; the first that fits counts. */
const OUTCOMES: readonly (readonly [RegExp, Outcome])[] = [
  [/^Sibling tool call errored|^Cancelled: parallel tool call/, "cascade"],
  [/^The user doesn't want to (?:proceed|take this action)|^\[Request interrupted by user/, "refused_by_user"],
  [/^Permission to use .* has been denied/, "refused_by_user"],
  [
    /^(?:Error: )?(?:File|Path|Directory) does not exist|^String to replace not found|^(?:Error: )?No such tool|^Unknown skill/,
    "not_found",
  ],
];
const REASON = /(?:the user said|the user provided the following reason for the rejection):\s*([\s\S]+)$/;
const ERROR_TAG = /^<tool_use_error>([\s\S]*?)<\/tool_use_error>$/;

const APPROVED = /^User has approved (?:your plan|exiting plan mode)/;
const ANSWER = /"([^"]+)"="([^"]*)"/g;

export function targetOf({ tool, input }: ToolCall): ToolTarget {
  const path =
    textOf(input.file_path) ?? textOf(input.notebook_path) ?? (tool === "LS" ? textOf(input.path) : undefined);
  const edits = EDIT_TOOLS.includes(tool) ? (true as const) : undefined;
  const childTask = CHILD_AGENT_TOOLS.includes(tool) ? (textOf(input.description) ?? textOf(input.prompt)) : undefined;
  const target = known({ path, edits, command: textOf(input.command), childTask });
  return { ...target, isSaidByAnswer: TASK_TOOLS.includes(tool) };
}

export function meaningOf(call: ToolCall, answer: ToolAnswer): Meaning {
  const text = ERROR_TAG.exec(answer.text)?.[1] ?? answer.text;
  const outcome = answer.isError ? (OUTCOMES.find(([words]) => words.test(text))?.[1] ?? "failed") : undefined;
  const meaning = { text, ...known({ outcome, reason: outcome === "refused_by_user" ? reasonIn(text) : undefined }) };
  // A plan that seems refused without a word was more often taken into a new session.
  if (outcome === "refused_by_user" && call.tool === PLAN && meaning.reason === undefined)
    return { ...meaning, outcome: "not_accepted", isSaidElsewhere: false };
  if (outcome) return { ...meaning, isSaidElsewhere: false };
  if (TASK_TOOLS.includes(call.tool)) return { ...meaning, tasks: tasksIn(call, answer), isSaidElsewhere: true };
  if (call.tool === QUESTION) {
    const decisions = choicesIn(call, answer);
    return { ...meaning, decisions, isSaidElsewhere: decisions.length > 0 };
  }
  if (call.tool === PLAN && APPROVED.test(text)) {
    const decision = { decision: `Plan accepted: ${titleOf(textOf(call.input.plan) ?? text)}`, alternatives: [] };
    return { ...meaning, decisions: [decision], isSaidElsewhere: true };
  }
  const commit = commitIn(textOf(call.input.command), text, shaIn(answer.details));
  const childAgent = textOf(answer.details.agentId);
  const task = textOf(answer.details.backgroundTaskId) ?? LAUNCHED.exec(text)?.[1] ?? textOf(answer.details.taskId);
  const isLaunched =
    IN_BACKGROUND.includes(answer.details.status) || (call.input.command !== undefined && task !== undefined);
  const goesOn = isLaunched ? (true as const) : undefined;
  const lineRange = linesOf(answer.details);
  return {
    ...meaning,
    ...known({ commit, childAgent, goesOn, task: goesOn && task, lineRange }),
    isSaidElsewhere: false,
  };
}

const reasonIn = (text: string): string | undefined => REASON.exec(text)?.[1]?.trim();

function tasksIn({ tool, input }: ToolCall, { text, details }: ToolAnswer): TaskChange[] {
  if (tool === TODO_LIST) return listedTasks(input.todos, "content");
  const task =
    textOf(input.taskId) ?? textOf(fieldsOf(details.task).id) ?? /\btask #(\S+) created/i.exec(text)?.[1] ?? "unknown";
  const change = { title: textOf(input.subject), details: textOf(input.description), owner: textOf(input.owner) };
  const status = tool === "TaskCreate" ? "open" : statusOf(input.status);
  return [{ task, ...known({ ...change, status }) }];
}

/** Questions come with their answers in a field of their own; earlier versions have them in the text alone. */
function choicesIn({ input }: ToolCall, { text, details }: ToolAnswer): Choice[] {
  const inText = Object.fromEntries(
    [...text.matchAll(ANSWER)].map(([, question = "", answer = ""]) => [question, answer]),
  );
  const answers = { ...inText, ...fieldsOf(details.answers) };
  return listOf(input.questions).flatMap((asked) => choicesOf(asked, answers[String(fieldsOf(asked).question)]));
}

const shaIn = ({ gitOperation }: Fields): string | undefined => textOf(fieldsOf(fieldsOf(gitOperation).commit).sha);

function linesOf({ file }: Fields): readonly [number, number] | undefined {
  const [start, count] = [numberOf(fieldsOf(file).startLine), numberOf(fieldsOf(file).numLines)];
  return start === undefined || count === undefined || count === 0 ? undefined : [start, start + count - 1];
}
