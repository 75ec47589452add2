/** What the tools of Claude Code do, and what came of a call: read from the call, the answer's text, and its structured form. */
import { EDIT_TOOLS } from "./claude-code.ts";
import { fieldsOf, known, listOf, numberOf, textOf } from "./fields.ts";
import type {
  Choice,
  Commit,
  Fields,
  HandedPlan,
  Meaning,
  Outcome,
  TaskChange,
  ToolAnswer,
  ToolCall,
  ToolTarget,
} from "./transcript.ts";

const TODO_LIST = "TodoWrite";
const TASK_TOOLS: readonly string[] = [TODO_LIST, "TaskCreate", "TaskUpdate"];
const QUESTION = "AskUserQuestion";
const PLAN = "ExitPlanMode";

const STATUSES: Readonly<Record<string, TaskChange["status"]>> = {
  pending: "open",
  in_progress: "doing",
  completed: "done",
  deleted: "dropped",
};

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
const HANDED_PLAN = /^Implement the following plan:\s*([\s\S]+)/;
const PARENT = /([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\.jsonl/;
const ANSWER = /"([^"]+)"="([^"]*)"/g;

const COMMITS = /\bgit\b[^|;&\n]*\bcommit\b/;
/** "[main 1a2b3c4] Subject", as git prints it. */
const COMMITTED = /^\[([^\]\n]*?)(?: \([^)\n]*\))? ([0-9a-f]{7,40})\] (.*)$/m;

export function targetOf({ tool, input }: ToolCall): ToolTarget {
  const path =
    textOf(input.file_path) ?? textOf(input.notebook_path) ?? (tool === "LS" ? textOf(input.path) : undefined);
  const edits = EDIT_TOOLS.includes(tool) ? (true as const) : undefined;
  return { ...known({ path, edits, command: textOf(input.command) }), isSaidByAnswer: TASK_TOOLS.includes(tool) };
}

export function meaningOf(call: ToolCall, answer: ToolAnswer): Meaning {
  const text = ERROR_TAG.exec(answer.text)?.[1] ?? answer.text;
  const outcome = answer.isError ? outcomeOf(text) : undefined;
  const meaning = { text, ...known({ outcome, reason: outcome === "refused_by_user" ? reasonIn(text) : undefined }) };
  // A plan that seems refused without a word was more often taken into a new session.
  if (outcome) return { ...meaning, isSaidElsewhere: call.tool === PLAN && meaning.reason === undefined };
  if (TASK_TOOLS.includes(call.tool)) return { ...meaning, tasks: tasksIn(call, answer), isSaidElsewhere: true };
  if (call.tool === QUESTION) {
    const decisions = choicesIn(call, answer);
    return { ...meaning, decisions, isSaidElsewhere: decisions.length > 0 };
  }
  if (call.tool === PLAN && APPROVED.test(text)) {
    const decision = { decision: `Plan accepted: ${titleOf(textOf(call.input.plan) ?? text)}`, alternatives: [] };
    return { ...meaning, decisions: [decision], isSaidElsewhere: true };
  }
  const commit = COMMITS.test(textOf(call.input.command) ?? "") ? commitIn(text, answer.details) : undefined;
  const subagent = textOf(answer.details.agentId);
  return { ...meaning, ...known({ commit, subagent, lineRange: linesOf(answer.details) }), isSaidElsewhere: false };
}

/** A person can accept a plan by having a new session carry it out. */
export function handedPlan(request: string): HandedPlan | undefined {
  const plan = HANDED_PLAN.exec(request)?.[1];
  return plan === undefined ? undefined : { title: titleOf(plan), ...known({ parent: PARENT.exec(plan)?.[1] }) };
}

function outcomeOf(text: string): Outcome {
  return OUTCOMES.find(([words]) => words.test(text))?.[1] ?? "failed";
}

function reasonIn(text: string): string | undefined {
  return REASON.exec(text)?.[1]?.trim();
}

function tasksIn({ tool, input }: ToolCall, { text, details }: ToolAnswer): TaskChange[] {
  if (tool === TODO_LIST) {
    return listOf(input.todos).flatMap((todo) => {
      const { content, status } = fieldsOf(todo);
      const title = textOf(content);
      return title === undefined ? [] : [{ task: title, title, ...known({ status: statusOf(status) }) }];
    });
  }
  const task =
    textOf(input.taskId) ?? textOf(fieldsOf(details.task).id) ?? /\btask #(\S+) created/i.exec(text)?.[1] ?? "unknown";
  const change = { title: textOf(input.subject), detail: textOf(input.description), owner: textOf(input.owner) };
  const status = tool === "TaskCreate" ? "open" : statusOf(input.status);
  return [{ task, ...known({ ...change, status }) }];
}

function statusOf(status: unknown): TaskChange["status"] {
  return STATUSES[String(status)];
}

/** Questions come with their answers in a field of their own; earlier versions have them in the text alone. */
function choicesIn({ input }: ToolCall, { text, details }: ToolAnswer): Choice[] {
  const inText = Object.fromEntries(
    [...text.matchAll(ANSWER)].map(([, question = "", answer = ""]) => [question, answer]),
  );
  const answers = { ...inText, ...fieldsOf(details.answers) };
  return listOf(input.questions).flatMap((asked) => {
    const { question, options } = fieldsOf(asked);
    const decision = textOf(answers[String(question)]);
    if (decision === undefined) return [];
    const labels = listOf(options).flatMap((option) => textOf(fieldsOf(option).label) ?? []);
    return [{ question: String(question), decision, alternatives: labels.filter((label) => label !== decision) }];
  });
}

function commitIn(text: string, details: Fields): Commit | undefined {
  const [, branch, printed, subject] = COMMITTED.exec(text) ?? [];
  const sha = textOf(fieldsOf(fieldsOf(details.gitOperation).commit).sha) ?? printed;
  return sha === undefined ? undefined : { sha, ...known({ branch, subject }) };
}

function linesOf({ file }: Fields): readonly [number, number] | undefined {
  const [start, count] = [numberOf(fieldsOf(file).startLine), numberOf(fieldsOf(file).numLines)];
  return start === undefined || count === undefined || count === 0 ? undefined : [start, start + count - 1];
}

/** The first line of a plan, without its mark as a heading. */
function titleOf(plan: string): string {
  return (plan.trim().split("\n", 1)[0] ?? "").replace(/^#+\s*/, "");
}
