import { fieldsOf, known, listOf, numberOf, textOf, textsOf } from "./fields.ts";
import {
  leaveOut,
  type Part,
  type ReadObject,
  readJsonLine,
  replyOf,
  unknownPart,
} from "./json-lines.ts";
import { commitIn, listedTasks } from "./meanings.ts";
import { withoutInjected } from "./not-said.ts";
import type {
  Fields,
  LineReading,
  Meaning,
  Outcome,
  ToolAnswer,
  ToolCall,
  ToolTarget,
} from "./transcript.ts";
import { requestsOf, voiceOfText } from "./voices.ts";

export const agent = "opencode";
export const name = "opencode";
export const revision = 3;

/** Thoughts, and notes of the client about its own work. */
const NOT_SAID: ReadonlySet<unknown> = new Set([
  "agent",
  "compaction",
  "file",
  "patch",
  "reasoning",
  "retry",
  "snapshot",
  "step-finish",
  "step-start",
  "subtask",
]);
const ABORTED = "MessageAbortedError";

export function readLine(text: string): readonly LineReading[] {
  return readJsonLine(text, ({ session, id }) => Boolean(session && id), readObject);
}

function readObject(fields: Fields): ReadObject {
  const session = textOf(fields.session);
  const parent = textOf(fields.parent);
  const created = numberOf(fields.created);
  const line = known({
    id: textOf(fields.id),
    ts: created === undefined ? undefined : new Date(created).toISOString(),
    session: parent ?? session,
    cwd: textOf(fields.cwd),
    branch: textOf(fields.branch),
    version: textOf(fields.version),
    childAgent: parent === undefined ? undefined : session,
  });
  return { parts: partsIn(fields), line, isConversation: "role" in fields };
}

function partsIn(fields: Fields): readonly Part[] {
  const parts = listOf(fields.parts).map(fieldsOf);
  if (fields.role === undefined) return [{ kind: "opening" }];
  if (fields.role === "user") return requestIn(parts);
  if (fields.role !== "assistant") return [unknownPart(String(fields.role))];
  const said = fields.isSummary === true ? summaryIn(parts) : parts.flatMap(partsOfAnswer);
  const all: readonly Part[] =
    fields.error === ABORTED ? [...said, { kind: "interruption" }] : said;
  return all.length === 0 ? [leaveOut("assistant", "blank")] : all;
}

function requestIn(parts: readonly Fields[]): readonly Part[] {
  const texts = textsOf(
    parts.filter(({ type, synthetic }) => type === "text" && synthetic !== true),
  );
  const text = texts.map(withoutInjected).join("\n");
  return text.trim() === ""
    ? [leaveOut("user", "injected")]
    : requestsOf([{ text, voice: voiceOfText(text) }]);
}

function summaryIn(parts: readonly Fields[]): readonly Part[] {
  const text = textsOf(parts.filter(({ type }) => type === "text")).join("\n");
  return [{ kind: "compaction" }, { kind: "summary", text }];
}

function partsOfAnswer(part: Fields): readonly Part[] {
  const { type, status } = part;
  if (type === "text") return [replyOf(part.text)];
  const call = textOf(part.callID);
  const tool = textOf(part.tool);
  if (type !== "tool" || call === undefined || tool === undefined)
    return [NOT_SAID.has(type) ? leaveOut("assistant", type) : unknownPart(`assistant/${type}`)];
  const asked = { kind: "call", call, tool, input: fieldsOf(part.input) } as const;
  if (status !== "completed" && status !== "error") return [asked];
  const text = textOf(part.output) ?? textOf(part.error) ?? "";
  const details = { exit: part.exit, childAgent: part.childAgent };
  return [asked, { kind: "answer", call, text, isError: status === "error", images: [], details }];
}

const EDIT_TOOLS: readonly string[] = ["write", "edit", "multiedit"];
const TODO_LIST = "todowrite";

const REFUSED = /^(?:The user (?:rejected|dismissed)|Tool execution aborted)/;
/** The client's note after the output of a command that was stopped with the agent. */
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
  return {
    text,
    ...known({
      commit: commitIn(textOf(input.command), text),
      childAgent: textOf(details.childAgent),
    }),
  };
}

function outcomeOf({ isError, text, details }: ToolAnswer): Outcome | undefined {
  if (isError) {
    if (REFUSED.test(text)) return "refused_by_user";
    return NOT_FOUND.test(text) ? "not_found" : "failed";
  }
  if (STOPPED.test(text)) return "refused_by_user";
  const exit = numberOf(details.exit);
  return exit === undefined || exit === 0 ? undefined : "failed";
}
