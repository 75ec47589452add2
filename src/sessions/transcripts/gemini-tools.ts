import { fieldsOf, jsonIn, known, listOf, textOf } from "./fields.ts";
import { acceptedPlan } from "./handed-plan.ts";
import { choicesOf, commitIn, listedTasks } from "./meanings.ts";
import type {
  Choice,
  Fields,
  Meaning,
  Outcome,
  ToolAnswer,
  ToolCall,
  ToolTarget,
} from "./transcript.ts";

const EDIT_TOOLS: readonly string[] = ["write_file", "replace"];
const TODO_LIST = "write_todos";
const QUESTION = "ask_user";
const PLAN = "exit_plan_mode";

/** The client's words for the outcome of a call. */
const REFUSED =
  /^(?:\[Operation Cancelled\]|User (?:denied|cancelled)|Command was cancelled by user|Plan rejected\.)/;
const REASON = /^Plan rejected\. User feedback: ([\s\S]*?)(?:\n\n|$)/;
const NOT_FOUND =
  /^(?:(?:File|Path|Directory) (?:not found|does not exist)|Failed to edit, 0 occurrences|Tool "[^"]*" not found)/i;

/** The output of a shell is between marks of the client, followed by its exit code. */
const SHELL_OUTPUT =
  /<untrusted_context>\nOutput: ([\s\S]*?)\n?((?:\n(?:Error|Exit Code|Signal|Background PIDs|Process Group PGID): .*)*)\n<\/untrusted_context>\s*$/;
const EXIT_CODE = /^Exit Code: (\d+)$/m;
const ENDED_BADLY = /^(?:Error|Signal): (?!\(none\))/m;

export function targetOf({ tool, input }: ToolCall): ToolTarget {
  return known({
    path: textOf(input.file_path) ?? textOf(input.absolute_path),
    edits: EDIT_TOOLS.includes(tool) || undefined,
    command: textOf(input.command),
    isSaidByAnswer: tool === TODO_LIST || undefined,
  });
}

export function meaningOf({ tool, input }: ToolCall, answer: ToolAnswer): Meaning {
  const [framed, printed, ending = ""] = SHELL_OUTPUT.exec(answer.text) ?? [];
  const before =
    framed === undefined ? "" : answer.text.slice(0, answer.text.length - framed.length);
  const text = printed === undefined ? answer.text : before + printed;
  const outcome = outcomeOf(answer, text, ending);
  if (outcome) return { text, outcome, ...known({ reason: REASON.exec(text)?.[1]?.trim() }) };
  if (tool === TODO_LIST) return { text, tasks: listedTasks(input.todos, "description") };
  if (tool === QUESTION) return { text, decisions: choicesIn(input, text) };
  if (tool === PLAN && text.startsWith("Plan approved."))
    return { text, decisions: [acceptedPlan(textOf(input.plan_filename) ?? "unnamed")] };
  return {
    text,
    ...known({
      commit: commitIn(textOf(input.command), text),
      childAgent: textOf(answer.details.agentId),
    }),
  };
}

function outcomeOf(
  { isError, details }: ToolAnswer,
  text: string,
  ending: string,
): Outcome | undefined {
  if (details.status === "cancelled" || REFUSED.test(text)) return "refused_by_user";
  if (isError) return NOT_FOUND.test(text) ? "not_found" : "failed";
  const exit = EXIT_CODE.exec(ending)?.[1];
  return (exit !== undefined && exit !== "0") || ENDED_BADLY.test(ending) ? "failed" : undefined;
}

/** The answers are JSON, by the number of the question. */
function choicesIn({ questions }: Fields, text: string): Choice[] {
  const answers = fieldsOf(jsonIn(text).answers);
  return listOf(questions).flatMap((asked, index) => choicesOf(asked, answers[String(index)]));
}
