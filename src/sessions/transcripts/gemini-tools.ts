import { orElse } from "../../ground/core/or-else.ts";
import { choicesOf } from "./choice.ts";
import { fieldsOf, known, listOf, textOf } from "./fields.ts";
import { commitIn } from "./git-commit.ts";
import { listedTasks } from "./listed-tasks.ts";
import type { Choice, Fields, Meaning, Outcome, ToolAnswer, ToolCall, ToolTarget } from "./transcript.ts";

const EDIT_TOOLS: readonly string[] = ["write_file", "replace"];
const TODO_LIST = "write_todos";
const QUESTION = "ask_user";
const PLAN = "exit_plan_mode";

/** The client tells the agent in words what came of a call. */
const REFUSED = /^(?:\[Operation Cancelled\]|User (?:denied|cancelled)|Command was cancelled by user|Plan rejected\.)/;
const REASON = /^Plan rejected\. User feedback: ([\s\S]*?)(?:\n\n|$)/;
const NOT_FOUND =
  /^(?:(?:File|Path|Directory) (?:not found|does not exist)|Failed to edit, 0 occurrences|Tool "[^"]*" not found)/i;

/** What a shell prints stands between marks of the client, and behind it how it ended. */
const SHELL_OUTPUT =
  /<untrusted_context>\nOutput: ([\s\S]*?)\n?((?:\n(?:Error|Exit Code|Signal|Background PIDs|Process Group PGID): .*)*)\n<\/untrusted_context>\s*$/;
const EXIT_CODE = /^Exit Code: (\d+)$/m;
const ENDED_BADLY = /^(?:Error|Signal): (?!\(none\))/m;

export function targetOf({ tool, input }: ToolCall): ToolTarget {
  const path = textOf(input.file_path) ?? textOf(input.absolute_path);
  const edits = EDIT_TOOLS.includes(tool) ? (true as const) : undefined;
  return { ...known({ path, edits, command: textOf(input.command) }), isSaidByAnswer: tool === TODO_LIST };
}

export function meaningOf(call: ToolCall, answer: ToolAnswer): Meaning {
  const [framed, printed, ending = ""] = SHELL_OUTPUT.exec(answer.text) ?? [];
  const before = framed === undefined ? "" : answer.text.slice(0, answer.text.length - framed.length);
  const text = printed === undefined ? answer.text : before + printed;
  const outcome = outcomeOf(answer, text, ending);
  const reason = REASON.exec(text)?.[1]?.trim();
  if (outcome) return { text, outcome, ...known({ reason }), isSaidElsewhere: false };
  if (call.tool === TODO_LIST)
    return { text, tasks: listedTasks(call.input.todos, "description"), isSaidElsewhere: true };
  if (call.tool === QUESTION) {
    const decisions = choicesIn(call.input, text);
    return { text, decisions, isSaidElsewhere: decisions.length > 0 };
  }
  if (call.tool === PLAN && text.startsWith("Plan approved.")) {
    const decision = { decision: `Plan accepted: ${textOf(call.input.plan_filename) ?? "unnamed"}`, alternatives: [] };
    return { text, decisions: [decision], isSaidElsewhere: true };
  }
  const commit = commitIn(textOf(call.input.command), text);
  return { text, ...known({ commit, childAgent: textOf(answer.details.agentId) }), isSaidElsewhere: false };
}

function outcomeOf({ isError, details }: ToolAnswer, text: string, ending: string): Outcome | undefined {
  if (details.status === "cancelled" || REFUSED.test(text)) return "refused_by_user";
  if (isError) return NOT_FOUND.test(text) ? "not_found" : "failed";
  const exit = EXIT_CODE.exec(ending)?.[1];
  return (exit !== undefined && exit !== "0") || ENDED_BADLY.test(ending) ? "failed" : undefined;
}

/** The answers are JSON, by the number of the question. */
function choicesIn({ questions }: Fields, text: string): Choice[] {
  const answers = answersIn(text);
  return listOf(questions).flatMap((asked, index) => choicesOf(asked, answers[String(index)]));
}

const answersIn = (text: string): Fields => orElse(() => fieldsOf(fieldsOf(JSON.parse(text)).answers), {});
