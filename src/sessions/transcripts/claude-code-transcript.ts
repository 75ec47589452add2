/**
 * Reads a line of a transcript of Claude Code. Such a file is JSON Lines; a line wraps a message of the Messages API, or says
 * something about the session. Measured on versions 2.1.39 to 2.1.45 and on 2.1.197.
 */
import { hash } from "node:crypto";
import { noticesIn } from "./claude-code-notices.ts";
import { fieldsOf, known, numberOf, partsOf, textOf } from "./fields.ts";
import { noteOfImage } from "./images.ts";
import { withoutInjected, withoutInjectedEnd } from "./injected.ts";
import { readJsonLine } from "./json-lines.ts";
import { isNothing, joinSaid, leaveOut, type SaidIn } from "./said.ts";
import type { Fields, ImageNote, LineReading, Said, TranscriptLine } from "./transcript.ts";

/** Types that describe the client's own work. */
const BOOKKEEPING: ReadonlySet<string> = new Set([
  "agent-color",
  "agent-name",
  "agent-setting",
  "content-replacement",
  "file-history-delta",
  "file-history-snapshot",
  "last-prompt",
  "mode",
  "permission-mode",
  "pr-link",
  "summary",
  "tag",
  "worktree-state",
]);
const TITLES = ["custom-title", "ai-title"];
const QUEUE = { enqueue: "added", dequeue: "taken", remove: "delivered", popAll: "emptied" } as const;

const INTERRUPTED = /^\[Request interrupted by user/;
const COMMAND = /^\s*<command-(?:name|message)>[\s\S]*<\/command-(?:name|message|args)>\s*$/;
const SHELL = /^\s*<bash-input>([\s\S]*?)<\/bash-input>/;
const LOCAL_OUTPUT = /^\s*<(local-command-\w+|bash-stdout|bash-stderr|task-notification)>/;
/** What the client puts around the agent's summary. */
const BEFORE_SUMMARY = /^This session is being continued[^\n]*\n+(?:Summary:\n+)?/;
const AFTER_SUMMARY = /\n+If you need specific details from before compaction[\s\S]*$/;
const PERSISTED = "<persisted-output>";

/** Writers that were killed or met each other leave several lines in one. */
export const readClaudeCodeLine = (text: string): readonly LineReading[] => readJsonLine(text, isLine, readingOf);

/** Whether an object stands on a line of its own, and not in another. */
function isLine(fields: Fields): boolean {
  return typeof fields.type === "string" && ("sessionId" in fields || "messageId" in fields);
}

function readingOf(fields: Fields, text: string): LineReading {
  const { says, leftOut = [], unknown = [] } = saidIn(fields);
  const version = textOf(fields.version);
  const rest = { leftOut, unknown, isConversation: "message" in fields, ...known({ version }) };
  return says.length === 0 ? rest : { line: lineOf(fields, text, says), ...rest };
}

function lineOf(fields: Fields, text: string, says: readonly Said[]): TranscriptLine {
  return {
    id: textOf(fields.uuid) ?? hash("sha256", text),
    ...known({
      ts: textOf(fields.timestamp),
      session: textOf(fields.sessionId),
      cwd: textOf(fields.cwd),
      branch: textOf(fields.gitBranch),
      version: textOf(fields.version),
      childAgent: textOf(fields.agentId),
    }),
    says,
  };
}

function saidIn(fields: Fields): SaidIn {
  const type = textOf(fields.type) ?? "untyped";
  if (type === "user") return userLine(fields);
  if (type === "assistant") return assistantLine(fields);
  if (type === "queue-operation") return queueLine(fields);
  if (type === "system") return systemLine(fields);
  if (type === "attachment") return attachmentLine(fieldsOf(fields.attachment));
  if (type === "progress") return leaveOut(type, fieldsOf(fields.data).type);
  if (TITLES.includes(type)) {
    const title = textOf(fields.customTitle) ?? textOf(fields.aiTitle) ?? textOf(fields.title);
    return title === undefined ? { says: [], unknown: [type] } : { says: [{ kind: "title", text: title }] };
  }
  return BOOKKEEPING.has(type) ? leaveOut(type) : { says: [], unknown: [type] };
}

function systemLine(fields: Fields): SaidIn {
  if (fields.subtype !== "compact_boundary") return leaveOut("system", fields.subtype);
  const { trigger, preTokens } = fieldsOf(fields.compactMetadata);
  const compaction = { kind: "compaction", ...known({ trigger: textOf(trigger), tokensBefore: numberOf(preTokens) }) };
  return { says: [compaction as Said] };
}

function queueLine({ operation, content }: Fields): SaidIn {
  const change = QUEUE[operation as keyof typeof QUEUE];
  if (!change) return { says: [], unknown: [`queue-operation/${operation}`] };
  const { finished = [] } = noticesIn(textOf(content) ?? "") ?? {};
  return { says: [{ kind: "queue", change, text: queuedText(content) }, ...(change === "added" ? finished : [])] };
}

/** A request that was delivered while the agent worked; everything else that is attached comes from the client. */
function attachmentLine({ type, prompt, commandMode }: Fields): SaidIn {
  const { finished = [] } = type === "queued_command" ? (noticesIn(textOf(prompt) ?? "") ?? {}) : {};
  if (finished.length > 0) return { says: finished };
  if (type !== "queued_command" || (commandMode !== undefined && commandMode !== "prompt"))
    return leaveOut("attachment", type);
  const text = typeof prompt === "string" ? prompt : partsOf(prompt).flatMap(({ text }) => textOf(text) ?? []);
  return { says: [{ kind: "queue", change: "delivered", text: queuedText([text].flat().join("\n")) }] };
}

/** Reports of background tasks go through the same queue. */
function queuedText(content: unknown): string {
  const text = textOf(content) ?? "";
  return text.startsWith('{"task_id"') || LOCAL_OUTPUT.test(text) ? "" : withoutInjected(text);
}

function userLine(fields: Fields): SaidIn {
  if (fields.isMeta === true) return leaveOut("user", "meta");
  const { content } = fieldsOf(fields.message);
  const blocks = partsOf(content);
  if (fields.isCompactSummary === true) {
    const summary = blocks.map(({ text }) => textOf(text) ?? "").join("\n");
    return { says: [{ kind: "summary", text: summary.replace(BEFORE_SUMMARY, "").replace(AFTER_SUMMARY, "") }] };
  }
  const answers = blocks.filter(({ type }) => type === "tool_result");
  const details = answers.length === 1 ? fieldsOf(fields.toolUseResult) : {};
  const readings = [
    ...answers.map((block) => answerIn(block, details)),
    requestIn(blocks.filter(({ type }) => type !== "tool_result")),
  ];
  const reading = joinSaid(readings);
  return isNothing(reading) ? { says: [], unknown: ["user"] } : reading;
}

function requestIn(blocks: readonly Fields[]): SaidIn {
  const texts = blocks.flatMap(({ type, text }) => (type === "text" ? (textOf(text) ?? []) : []));
  const images = blocks.flatMap(imageIn);
  const unknown = blocks.filter(({ type }) => type !== "text" && type !== "image").map(({ type }) => `user/${type}`);
  const said = joinSaid(texts.map(requestOf));
  const requests = said.says.flatMap((one) => (one.kind === "request" ? [one.text] : []));
  const others = said.says.filter(({ kind }) => kind !== "request");
  const isRequest = requests.length > 0 || images.length > 0;
  const request = { kind: "request", text: requests.join("\n"), images } as const;
  return { ...said, says: isRequest ? [request, ...others] : others, unknown };
}

function requestOf(text: string): SaidIn {
  const notices = noticesIn(text);
  if (notices && notices.finished.length > 0) {
    const said: SaidIn = { says: notices.finished };
    return notices.rest.trim() === "" ? said : joinSaid([said, requestOf(notices.rest)]);
  }
  const local = LOCAL_OUTPUT.exec(text)?.[1];
  if (local) return leaveOut("user", local);
  if (INTERRUPTED.test(text)) return { says: [{ kind: "interruption" }] };
  const typed = withoutInjected(text);
  const said = COMMAND.test(typed) ? commandIn(typed) : (SHELL.exec(typed)?.[1]?.replace(/^/, "! ") ?? typed);
  return said.trim() === "" ? leaveOut("user", "injected") : { says: [{ kind: "request", text: said, images: [] }] };
}

/** "/plan the words behind it". */
function commandIn(text: string): string {
  const inside = (tag: string): string => new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`).exec(text)?.[1]?.trim() ?? "";
  const name = inside("command-name") || inside("command-message");
  return `${name.startsWith("/") ? "" : "/"}${name} ${inside("command-args")}`.trim();
}

function answerIn({ tool_use_id, content, is_error }: Fields, details: Fields): SaidIn {
  const call = textOf(tool_use_id);
  if (call === undefined) return { says: [], unknown: ["user/tool_result"] };
  const blocks = partsOf(content);
  const said = blocks.flatMap(({ text }) => textOf(text) ?? []).join("\n");
  const images = blocks.flatMap(imageIn);
  // The client shows the agent the beginning of a long output alone; the line still holds more of it.
  const isCut = said.startsWith(PERSISTED);
  const whole = isCut ? [details.stdout, details.stderr].flatMap((text) => textOf(text) ?? []).join("\n") : "";
  const text = withoutInjectedEnd(whole.length > said.length ? whole : said);
  const unknown = blocks.filter(({ type }) => type !== "text" && type !== "image").map(({ type }) => `answer/${type}`);
  return { says: [{ kind: "answer", call, text, isError: is_error === true, images, details }], unknown };
}

function assistantLine(fields: Fields): SaidIn {
  const { content, model } = fieldsOf(fields.message);
  // What the client says in the agent's place, such as an error of the network.
  if (model === "<synthetic>") return leaveOut("assistant", "synthetic");
  const reading = joinSaid(
    partsOf(content).map((block): SaidIn => {
      const { type, text, id, name, input } = block;
      if (type === "text" && typeof text === "string")
        return text.trim() === "" ? leaveOut("assistant", "blank") : { says: [{ kind: "reply", text: text.trim() }] };
      if (type === "thinking" || type === "redacted_thinking") return leaveOut("assistant", type);
      const [call, tool] = [textOf(id), textOf(name)];
      if (type === "tool_use" && call !== undefined && tool !== undefined)
        return { says: [{ kind: "call", call, tool, input: fieldsOf(input) }] };
      return { says: [], unknown: [`assistant/${type}`] };
    }),
  );
  return isNothing(reading) ? { says: [], unknown: ["assistant"] } : reading;
}

function imageIn({ type, source }: Fields): ImageNote[] {
  if (type !== "image") return [];
  const { media_type, data } = fieldsOf(source);
  return [noteOfImage(textOf(media_type), textOf(data) ?? "")];
}
