import { known, numberOf, textOf } from "./fields.ts";
import { commitIn } from "./git-commit.ts";
import { listedTasks } from "./listed-tasks.ts";
import type { Meaning, Outcome, ToolAnswer, ToolCall, ToolTarget } from "./transcript.ts";

const EDIT_TOOLS: readonly string[] = ["write", "edit", "multiedit"];
const TODO_LIST = "todowrite";

const REFUSED = /^(?:The user (?:rejected|dismissed)|Tool execution aborted)/;
/** What the client puts behind the output of a command that was stopped with the agent. */
const STOPPED = /<shell_metadata>\nUser aborted the command\n<\/shell_metadata>\s*$/;
const NOT_FOUND = /^(?:Error: )?(?:File not found|oldString not found|Could not find oldString)/;

export function targetOf({ tool, input }: ToolCall): ToolTarget {
  return known({
    path: textOf(input.filePath),
    edits: EDIT_TOOLS.includes(tool) || undefined,
    command: textOf(input.command),
    isSaidByAnswer: tool === TODO_LIST || undefined,
  });
}

export function meaningOf({ tool, input }: ToolCall, answer: ToolAnswer): Meaning {
  const { text, details } = answer;
  const outcome = outcomeOf(answer);
  if (outcome) return { text, outcome };
  if (tool === TODO_LIST) return { text, tasks: listedTasks(input.todos, "content") };
  return { text, ...known({ commit: commitIn(textOf(input.command), text), childAgent: textOf(details.childAgent) }) };
}

function outcomeOf({ isError, text, details }: ToolAnswer): Outcome | undefined {
  if (isError) return REFUSED.test(text) ? "refused_by_user" : NOT_FOUND.test(text) ? "not_found" : "failed";
  if (STOPPED.test(text)) return "refused_by_user";
  const exit = numberOf(details.exit);
  return exit === undefined || exit === 0 ? undefined : "failed";
}
