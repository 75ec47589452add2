/** Meanings of tool answers that are the same for every client: choices, lists of tasks, commits. */
import { fieldsOf, known, listOf, textOf, textsIn } from "./fields.ts";
import type { Choice, Commit, TaskChange } from "./transcript.ts";

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
  if (answers.length === 0) return [];
  const labels = textsIn(listOf(options).map((option) => fieldsOf(option).label));
  const chosen = new Set(answers.flatMap((one) => labelsIn(one, labels)));
  const alternatives = labels.filter((label) => !chosen.has(label));
  const decision = answers.join(BETWEEN);
  return decides(String(question), decision)
    ? [{ question: String(question), decision, alternatives }]
    : [];
}

interface Reading {
  readonly labels: readonly string[];
  /** The number of parts of the answer that are not a label. */
  readonly others: number;
}

/** The labels in an answer, split so that they cover as much of it as possible. If two splits cover equally much, prefers the one with the longer first label. */
function labelsIn(answer: string, labels: readonly string[]): readonly string[] {
  const parts = answer.split(BETWEEN);
  const shortestFirst = [...new Set(labels)].sort((a, b) => a.length - b.length);
  const readings: Reading[] = [];
  const after = (at: number): Reading => readings[at] ?? { labels: [], others: 0 };
  for (let at = parts.length - 1; at >= 0; at--) {
    let best: Reading = { labels: after(at + 1).labels, others: after(at + 1).others + 1 };
    for (const label of shortestFirst) {
      const end = at + label.split(BETWEEN).length;
      if (parts.slice(at, end).join(BETWEEN) !== label || after(end).others > best.others) continue;
      best = { labels: [...new Set([label, ...after(end).labels])], others: after(end).others };
    }
    readings[at] = best;
  }
  return after(0).labels;
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
    const status = known({ status: statusOf(fields.status) });
    if (title !== undefined) tasks.push({ task: title, title, ...status });
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
  if (!COMMITS.test(command ?? "")) return undefined;
  const [, branch, printed, subject] = COMMITTED.exec(output) ?? [];
  const hash = sha ?? printed;
  return hash === undefined ? undefined : { sha: hash, ...known({ branch, subject }) };
}
