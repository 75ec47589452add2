/** What answers of tools mean in the same way for every client: a choice, tasks that are listed as a whole, a commit. */
import { fieldsOf, known, listOf, textOf } from "./fields.ts";
import type { Choice, Commit, TaskChange } from "./transcript.ts";

/** What stands between several labels in one answer; it may stand in a label too. */
const BETWEEN = ", ";

/** Whether the agent asks to act once: what a person permits says nothing of later work. */
const ASKS_LEAVE =
  /\b(?:(?:can|may) I|(?:should|shall) I (?:go on|continue|proceed|start|commit|push|merge|run|delete|remove|retry)|ready to)\b[^?]*\?\s*$/i;
const YES_OR_NO = /^(?:yes|no|ok(?:ay)?|sure)\b/i;
/** Whither the conversation goes, or that the agent is to choose. */
const NAVIGATES =
  /^(?:(?:next|another|other) (?:area|topic|question|step)|move (?:on|to)|done|continue|proceed|go (?:on|ahead)|skip|later|not now|you decide|up to you|(?:work on|start|do) (?:it|this)(?: now)?)\b[^,:;]{0,30}$/i;

/** Whether an answer settles something that later work rests on. A question back does not. */
function decides(question: string, answer: string): boolean {
  const said = answer.trim();
  return !(
    said.endsWith("?") ||
    NAVIGATES.test(said) ||
    (ASKS_LEAVE.test(question) && YES_OR_NO.test(said))
  );
}

/** The choice that an answer makes; none where nothing was chosen. @param answer labels, free text or both; or a list of them. */
export function choicesOf(asked: unknown, answer: unknown): Choice[] {
  const { question, options } = fieldsOf(asked);
  const answers = [answer].flat().flatMap((one) => textOf(one) ?? []);
  if (answers.length === 0) return [];
  const labels = listOf(options).flatMap((option) => textOf(fieldsOf(option).label) ?? []);
  const chosen = new Set(answers.flatMap((one) => labelsIn(one, labels)));
  const alternatives = labels.filter((label) => !chosen.has(label));
  const decision = answers.join(BETWEEN);
  return decides(String(question), decision)
    ? [{ question: String(question), decision, alternatives }]
    : [];
}

interface Reading {
  readonly labels: readonly string[];
  /** Parts of the answer that are not a label. */
  readonly others: number;
}

/** The labels in an answer, read so that they make up as much of it as they can; of two such readings the one with the longer first label. */
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

/** As the clients call them; none of these words means two things. */
const STATUSES: Readonly<Record<string, TaskChange["status"]>> = {
  pending: "open",
  blocked: "open",
  in_progress: "doing",
  completed: "done",
  cancelled: "dropped",
  deleted: "dropped",
};

export const statusOf = (status: unknown): TaskChange["status"] => STATUSES[String(status)];

/** @param titled the field of each that says what is to be done: no list has another name for a task. */
export function listedTasks(list: unknown, titled: string): TaskChange[] {
  return listOf(list).flatMap((one) => {
    const fields = fieldsOf(one);
    const title = textOf(fields[titled]);
    return title === undefined
      ? []
      : [{ task: title, title, ...known({ status: statusOf(fields.status) }) }];
  });
}

const COMMITS = /\bgit\b[^|;&\n]*\bcommit\b/;
/** "[main 1a2b3c4] Subject". */
const COMMITTED = /^\[([^\]\n]*?)(?: \([^)\n]*\))? ([0-9a-f]{7,40})\] (.*)$/m;

/** @param sha where the client says it apart. @returns undefined where the command commits nothing, or nothing says what. */
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
