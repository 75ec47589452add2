/** Meanings that are the same for every client: choices, lists of tasks, commits, plans that a request hands over. */
import { fieldsOf, listOf, textOf, textsIn } from "./fields.ts";
import type { Choice, Commit, Fields, Meaning, TaskChange } from "./transcript.ts";

/** The separator of labels in an answer. A label may contain it too. */
const BETWEEN = ", ";

/** Questions of an agent that wants to act once. Such a permission decides nothing for later work. */
const ASKS_LEAVE =
  /\b(?:(?:can|may) I|(?:should|shall) I (?:go on|continue|proceed|start|commit|push|merge|run|delete|remove|retry)|ready to)\b[^?]*\?\s*$/i;
const YES_OR_NO = /^(?:yes|no|ok(?:ay)?|sure)\b/i;
/** Answers that only steer the conversation, or leave the choice to the agent. */
const NAVIGATES =
  /^(?:(?:next|another|other) (?:area|topic|question|step)|move (?:on|to)|done|continue|proceed|go (?:on|ahead)|skip|later|not now|you decide|up to you|(?:work on|start|do) (?:it|this)(?: now)?)\b[^,:;]{0,30}$/i;

/** Whether an answer decides something for later work. A question back doesn't. */
function decides(question: string, answer: string): boolean {
  const said = answer.trim();
  return !(
    said.endsWith("?") ||
    NAVIGATES.test(said) ||
    (ASKS_LEAVE.test(question) && YES_OR_NO.test(said))
  );
}

/** The choice in an answer. Empty if nothing was chosen. @param answer labels, free text or both, or a list of them. */
export function choicesOf(asked: unknown, answer: unknown): Choice[] {
  const { question, options } = fieldsOf(asked);
  const answers = textsIn([answer].flat());
  if (answers.length === 0) {
    return [];
  }
  const labels = textsIn(listOf(options).map((option) => fieldsOf(option).label));
  const chosen = new Set(answers.flatMap((one) => labelsIn(one, labels)));
  const alternatives = labels.filter((label) => !chosen.has(label));
  const decision = answers.join(BETWEEN);
  return decides(String(question), decision)
    ? [{ question: String(question), decision, alternatives }]
    : [];
}

/** The labels in an answer. Longer ones count first, because a label may contain the separator too. */
function labelsIn(answer: string, labels: readonly string[]): string[] {
  const found: string[] = [];
  let rest = `${BETWEEN}${answer}${BETWEEN}`;
  for (const label of labels.toSorted((a, b) => b.length - a.length)) {
    const others = rest.replace(`${BETWEEN}${label}${BETWEEN}`, BETWEEN);
    if (others !== rest) {
      found.push(label);
    }
    rest = others;
  }
  return found;
}

/** The words of all clients. None of them has two meanings. */
const STATUSES: Readonly<Record<string, TaskChange["status"]>> = {
  pending: "open",
  blocked: "open",
  in_progress: "doing",
  completed: "done",
  cancelled: "dropped",
  deleted: "dropped",
};

export const statusOf = (status: unknown): TaskChange["status"] => STATUSES[String(status)];

/** @param titled the field with the title of a task, which is also its id. */
export function listedTasks(list: unknown, titled: string): TaskChange[] {
  const tasks: TaskChange[] = [];
  for (const one of listOf(list)) {
    const fields = fieldsOf(one);
    const title = textOf(fields[titled]);
    const status = statusOf(fields.status);
    if (title !== undefined) {
      tasks.push({ task: title, title, status });
    }
  }
  return tasks;
}

const COMMITS = /\bgit\b[^|;&\n]*\bcommit\b/;
/** "[main 1a2b3c4] Subject". */
const COMMITTED = /^\[([^\]\n]*?)(?: \([^)\n]*\))? ([0-9a-f]{7,40})\] (.*)$/m;

/** @param sha if the client gives it separately. @returns undefined if the command commits nothing, or the output has no commit. */
export function commitIn(
  command: string | undefined,
  output: string,
  sha?: string,
): Commit | undefined {
  if (!COMMITS.test(command ?? "")) {
    return undefined;
  }
  const [, branch, printed, subject] = COMMITTED.exec(output) ?? [];
  const hash = sha ?? printed;
  return hash === undefined ? undefined : { sha: hash, branch, subject };
}

/** The meaning of a successful call that neither lists tasks nor decides anything. @param childAgent the id, if the client gives it. */
export function successOf(input: Fields, text: string, childAgent: unknown): Meaning {
  return { text, commit: commitIn(textOf(input.command), text), child_agent: textOf(childAgent) };
}

/** Users can accept a plan by having a new session carry it out, in the same client or in another one. */
const HANDED_PLAN = /^Implement the following plan:\s*([\s\S]+)/;
/** The name of a transcript ends in the id of its session. */
const PARENT = /([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\.jsonl/;

/** The plan from an earlier session that a request hands over, and that session if the request has it. Undefined for any other request. */
export function handedPlan(request: string) {
  const plan = HANDED_PLAN.exec(request)?.[1];
  if (plan === undefined) {
    return undefined;
  }
  return { title: titleOf(plan), parent: PARENT.exec(plan)?.[1] };
}

/** The choice of a user who accepts a plan. */
export const acceptedPlan = (title: string): Choice => ({
  decision: `Plan accepted: ${title}`,
  alternatives: [],
});

/** The first line of a plan, without its mark as a heading. */
export const titleOf = (plan: string): string =>
  (plan.trim().split("\n", 1)[0] ?? "").replace(/^#+\s*/, "");
