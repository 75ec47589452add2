/** The outcomes of Claude Code's tool calls, from the answer's text, and its structured form. */

import { present } from "../../ground/core/text.ts";
import { fieldsOf, listOf, numberOf, textOf } from "./fields.ts";
import { acceptedPlan, choicesOf, commitIn, listedTasks, statusOf, titleOf } from "./meanings.ts";
import type {
  Choice,
  Fields,
  Finished,
  Meaning,
  Outcome,
  TaskChange,
  ToolAnswer,
  ToolCall,
} from "./transcript.ts";

const TODO_LIST = "TodoWrite";
export const TASK_TOOLS: readonly string[] = [TODO_LIST, "TaskCreate", "TaskUpdate"];
/** States of a child agent that continues after its call was answered. */
const IN_BACKGROUND: readonly unknown[] = ["async_launched", "remote_launched", "teammate_spawned"];
const LAUNCHED =
  /^Command (?:running in background with|was (?:manually )?(?:moved to the background|backgrounded)[^\n]*?) ?\(?ID: (\w+)/;
const QUESTION = "AskUserQuestion";
const PLAN = "ExitPlanMode";

/** The client's words for the outcome of a call. The first that matches counts. */
const OUTCOMES: readonly (readonly [RegExp, Outcome])[] = [
  [/^Sibling tool call errored|^Cancelled: parallel tool call/, "cascade"],
  [
    /^The user doesn't want to (?:proceed|take this action)|^\[Request interrupted by user/,
    "refused_by_user",
  ],
  [/^Permission to use .* has been denied/, "refused_by_user"],
  [
    /^(?:Error: )?(?:File|Path|Directory) does not exist|^String to replace not found|^(?:Error: )?No such tool|^Unknown skill/,
    "not_found",
  ],
];
const REASON =
  /(?:the user said|the user provided the following reason for the rejection):\s*([\s\S]+)$/;
const ERROR_TAG = /^<tool_use_error>([\s\S]*?)<\/tool_use_error>$/;

const APPROVED = /^User has approved (?:your plan|exiting plan mode)/;
const ANSWER = /"([^"]+)"="([^"]*)"/g;

export function meaningOf(call: ToolCall, answer: ToolAnswer): Meaning {
  const { tool, input } = call;
  const text = ERROR_TAG.exec(answer.text)?.[1] ?? answer.text;
  if (answer.isError) {
    return failureOf(tool, text);
  }
  if (TASK_TOOLS.includes(tool)) {
    return { text, tasks: tasksIn(call, answer) };
  }
  if (tool === QUESTION) {
    return { text, decisions: choicesIn(call, answer) };
  }
  if (tool === PLAN && APPROVED.test(text)) {
    return { text, decisions: [acceptedPlan(titleOf(textOf(input.plan) ?? text))] };
  }
  return successOf(textOf(input.command), text, answer.details);
}

function failureOf(tool: string, text: string): Meaning {
  const [, outcome] = OUTCOMES.find(([words]) => words.test(text)) ?? [];
  if (outcome !== "refused_by_user") {
    return { text, outcome: outcome ?? "failed" };
  }
  const reason = REASON.exec(text)?.[1]?.trim();
  // A plan that was refused without a reason was usually carried out in a new session.
  if (tool === PLAN && reason === undefined) {
    return { text, outcome: "not_accepted" };
  }
  return { text, outcome, reason };
}

function successOf(command: string | undefined, text: string, details: Fields): Meaning {
  const task =
    textOf(details.backgroundTaskId) ?? LAUNCHED.exec(text)?.[1] ?? textOf(details.taskId);
  const made = fieldsOf(fieldsOf(details.gitOperation).commit);
  const meaning: Meaning = {
    text,
    commit: commitIn(command, text, textOf(made.sha)),
    child_agent: textOf(details.agentId),
    line_range: linesOf(details),
  };
  const isLaunched = command !== undefined && task !== undefined;
  if (!isLaunched && !IN_BACKGROUND.includes(details.status)) {
    return meaning;
  }
  return { ...meaning, goes_on: true, task };
}

function tasksIn({ tool, input }: ToolCall, { text, details }: ToolAnswer): TaskChange[] {
  if (tool === TODO_LIST) {
    return listedTasks(input.todos, "content");
  }
  const task =
    textOf(input.taskId) ??
    textOf(fieldsOf(details.task).id) ??
    /\btask #(\S+) created/i.exec(text)?.[1] ??
    "unknown";
  return [
    {
      task,
      title: textOf(input.subject),
      details: textOf(input.description),
      owner: textOf(input.owner),
      status: tool === "TaskCreate" ? "open" : statusOf(input.status),
    },
  ];
}

/** Newer versions have the answers to questions in a separate field. Earlier versions have them only in the text. */
function choicesIn({ input }: ToolCall, { text, details }: ToolAnswer): Choice[] {
  const inText = Object.fromEntries(
    [...text.matchAll(ANSWER)].map(([, question = "", answer = ""]) => [question, answer]),
  );
  const answers = { ...inText, ...fieldsOf(details.answers) };
  return listOf(input.questions).flatMap((asked) =>
    choicesOf(asked, answers[String(fieldsOf(asked).question)]),
  );
}

function linesOf({ file }: Fields): readonly [number, number] | undefined {
  const { startLine, numLines } = fieldsOf(file);
  const start = numberOf(startLine);
  const count = numberOf(numLines);
  if (start === undefined || !count) {
    return undefined;
  }
  return [start, start + count - 1];
}

/** From the first tag to the last one, because a result may contain these tags too. The client adds the path of the whole output. */
const NOTICES =
  /^\s*<task-notification>[\s\S]*<\/task-notification>\s*(?:(?:Read the output file|Full transcript available)[^\n]*\s*)*/;
const NOTICE = /<task-notification>([\s\S]*?)<\/task-notification>/g;
/** A result may contain any text, including tags. */
const RESULT = /<result>([\s\S]*)<\/result>/;
const OUTCOMES_OF_NOTICES: Readonly<Record<string, Outcome>> = {
  failed: "failed",
  error: "failed",
  killed: "stopped",
  stopped: "stopped",
  cancelled: "stopped",
};

/** The notices at the beginning of a message, and the rest of it. Undefined for any other message. */
export function noticesIn(message: string) {
  const notices = NOTICES.exec(message)?.[0];
  if (notices === undefined) {
    return undefined;
  }
  const finished = [...notices.matchAll(NOTICE)].map(([, notice = ""]) => finishedIn(notice));
  return { finished: present(...finished), rest: message.slice(notices.length) };
}

function finishedIn(notice: string): Finished | undefined {
  const result = RESULT.exec(notice)?.[1]?.trim();
  const frame = notice.replace(RESULT, "");
  const inside = (tag: string) => new RegExp(`<${tag}>([^<]*)</${tag}>`).exec(frame)?.[1]?.trim();
  const id = inside("task-id");
  if (id === undefined) {
    return undefined;
  }
  const status = inside("status") ?? "";
  const outcome = OUTCOMES_OF_NOTICES[status];
  // Some tasks report something before they end.
  const goes_on = (outcome === undefined && status !== "completed") || undefined;
  const summary = /<summary>([\s\S]*?)<\/summary>/.exec(frame)?.[1]?.trim();
  const text = [summary, result].filter(Boolean).join("\n") || status;
  return { kind: "finished", id, text, call: inside("tool-use-id"), outcome, goes_on };
}
