/** Reads a line of Claude Code: JSON with a message of the Messages API or of the session. Tested with versions 2.1.39 to 2.1.45, and 2.1.197. */

import { present } from "../../ground/core/text.ts";
import { noticesIn } from "./claude-code-notices.ts";
import { namedVoice, voiceOfLine } from "./claude-code-voices.ts";
import { fieldsOf, known, numberOf, partsOf, textOf, textsIn, textsOf } from "./fields.ts";
import {
  leaveOut,
  orUnknown,
  type Part,
  type ReadObject,
  readJsonLine,
  replyOf,
  unknownPart,
} from "./json-lines.ts";
import { noteOfImage, withoutInjected, withoutInjectedEnd } from "./not-said.ts";
import type { Fields, ImageNote, LineReading, Voice } from "./transcript.ts";
import { requestsOf } from "./voices.ts";

export const agent = "claude-code";
export const name = "Claude Code";
export const revision = 3;

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
const QUEUE = {
  enqueue: "added",
  dequeue: "taken",
  remove: "delivered",
  popAll: "emptied",
} as const;

const INTERRUPTED = /^\[Request interrupted by user[^\]\n]*\]\s*$/;
const COMMAND = /^\s*<command-(?:name|message)>[\s\S]*<\/command-(?:name|message|args)>\s*$/;
const SHELL = /^\s*<bash-input>([\s\S]*?)<\/bash-input>\s*$/;
/** From the first tag to the last one, because the output of a command may contain these tags too. */
const LOCAL_OUTPUT =
  /^\s*<(local-command-\w+|bash-stdout|bash-stderr)>[\s\S]*<\/(?:local-command-\w+|bash-stdout|bash-stderr)>\s*$/;
/** The client's text around the agent's summary. */
const BEFORE_SUMMARY = /^This session is being continued[^\n]*\n+(?:Summary:\n+)?/;
const AFTER_SUMMARY = /\n+If you need specific details from before compaction[\s\S]*$/;
/** Blocks that are read or noted. */
const KNOWN_BLOCKS: ReadonlySet<unknown> = new Set(["text", "image", "document", "tool_reference"]);
const PERSISTED = "<persisted-output>";

/** Killed or concurrent writers leave several lines joined in one. */
export const readLine = (text: string): readonly LineReading[] =>
  readJsonLine(text, isLine, readObject);

/** Whether an object is a line, and not part of one. */
function isLine(fields: Fields): boolean {
  return typeof fields.type === "string" && ("sessionId" in fields || "messageId" in fields);
}

function readObject(fields: Fields): ReadObject {
  const origin = fieldsOf(fields.forkedFrom);
  const line = known({
    // Some forks give copied lines new ids.
    id: textOf(origin.messageUuid) ?? textOf(fields.uuid),
    copiedFrom: textOf(origin.sessionId),
    ts: textOf(fields.timestamp),
    session: textOf(fields.sessionId),
    cwd: textOf(fields.cwd),
    branch: textOf(fields.gitBranch),
    version: textOf(fields.version),
    childAgent: textOf(fields.agentId),
  });
  return { parts: partsIn(fields), line, isConversation: "message" in fields };
}

function partsIn(fields: Fields): readonly Part[] {
  const type = textOf(fields.type) ?? "untyped";
  if (type === "user") return userLine(fields);
  if (type === "assistant") return assistantLine(fields);
  if (type === "queue-operation") return queueLine(fields);
  if (type === "system") return [systemLine(fields)];
  if (type === "attachment")
    return attachmentLine({
      ...known({ origin: fields.origin, promptSource: fields.promptSource }),
      ...fieldsOf(fields.attachment),
    });
  if (type === "progress") return [leaveOut(type, fieldsOf(fields.data).type)];
  const title = textOf(fields.customTitle) ?? textOf(fields.aiTitle) ?? textOf(fields.title);
  if (TITLES.includes(type) && title !== undefined) return [{ kind: "title", text: title }];
  return [BOOKKEEPING.has(type) ? leaveOut(type) : unknownPart(type)];
}

function systemLine(fields: Fields): Part {
  if (fields.subtype !== "compact_boundary") return leaveOut("system", fields.subtype);
  const { trigger, preTokens } = fieldsOf(fields.compactMetadata);
  return {
    kind: "compaction",
    ...known({ trigger: textOf(trigger), tokensBefore: numberOf(preTokens) }),
  };
}

function queueLine(fields: Fields): readonly Part[] {
  const { operation, content } = fields;
  const change = QUEUE[operation as keyof typeof QUEUE];
  if (!change) return [unknownPart(`queue-operation/${operation}`)];
  const { finished, text } = queuedIn(textOf(content) ?? "", fields);
  const queued = queuedPart(change, text, voiceOfLine(fields, text));
  return change === "added" ? [queued, ...finished] : [queued];
}

function queuedPart(change: (typeof QUEUE)[keyof typeof QUEUE], text: string, voice: Voice): Part {
  const queued = { kind: "queue", change, text } as const;
  return voice === "user" ? queued : { ...queued, voice };
}

/** A request that was delivered while the agent worked. All other attachments come from the client. */
function attachmentLine(attachment: Fields): readonly Part[] {
  const { type, prompt, commandMode, isMeta } = attachment;
  if (type !== "queued_command") return [leaveOut("attachment", type)];
  const { finished, text } = queuedIn(textsOf(partsOf(prompt)).join("\n"), attachment);
  const isPrompt = (commandMode === undefined || commandMode === "prompt") && isMeta !== true;
  if (finished.length > 0 && (!isPrompt || text === "")) return finished;
  if (!isPrompt) return [leaveOut("attachment", type)];
  return [...finished, queuedPart("delivered", text, voiceOfLine(attachment, text))];
}

/** Reports of background tasks go through the same queue. */
function queuedIn(content: string, fields: Fields) {
  if (namedVoice(fields) === "user") return { finished: [], text: content };
  const { finished = [], rest = content } = noticesIn(content) ?? {};
  const said = withoutInjected(rest);
  const isReport = said.startsWith('{"task_id"') || LOCAL_OUTPUT.test(said);
  return { finished, text: isReport ? "" : said };
}

function userLine(fields: Fields): readonly Part[] {
  if (fields.isMeta === true) return [leaveOut("user", "meta")];
  const blocks = partsOf(fieldsOf(fields.message).content);
  if (fields.isCompactSummary === true) {
    const text = textsOf(blocks).join("\n").replace(BEFORE_SUMMARY, "").replace(AFTER_SUMMARY, "");
    return [{ kind: "summary", text }];
  }
  const answers = blocks.filter(({ type }) => type === "tool_result");
  const details = answers.length === 1 ? fieldsOf(fields.toolUseResult) : {};
  const others = blocks.filter(({ type }) => type !== "tool_result");
  const request = requestIn(others, fields);
  return orUnknown([...answers.flatMap((block) => answerIn(block, details)), ...request], "user");
}

/** @param fields of the line. */
function requestIn(blocks: readonly Fields[], fields: Fields): readonly Part[] {
  const partsOfText = namedVoice(fields) === "user" ? typedParts : partsOfUnnamed;
  const said = textsOf(blocks.filter(({ type }) => type === "text")).flatMap(partsOfText);
  const texts = said
    .filter((part) => part.kind === "request")
    .map(({ text }) => ({ text, voice: voiceOfLine(fields, text) }));
  return [
    ...requestsOf(texts, present(...blocks.map(imageIn))),
    ...said.filter(({ kind }) => kind !== "request"),
    ...unknownBlocks(blocks, "user"),
  ];
}

/** The parts of a text that the user typed, quotations included. */
function typedParts(text: string): readonly Part[] {
  if (INTERRUPTED.test(text)) return [{ kind: "interruption" }];
  return withoutInjected(text).trim() === "" ? [leaveOut("user", "injected")] : [requestOf(text)];
}

function partsOfUnnamed(text: string): readonly Part[] {
  const notices = noticesIn(text);
  if (notices) {
    const finished =
      notices.finished.length > 0 ? notices.finished : [leaveOut("user", "task-notification")];
    return notices.rest.trim() === "" ? finished : [...finished, ...partsOfUnnamed(notices.rest)];
  }
  const said = withoutInjected(text);
  const local = LOCAL_OUTPUT.exec(said)?.[1];
  if (local) return [leaveOut("user", local)];
  if (INTERRUPTED.test(said)) return [{ kind: "interruption" }];
  return [said.trim() === "" ? leaveOut("user", "injected") : requestOf(said)];
}

function requestOf(typed: string): Part {
  const said = COMMAND.test(typed)
    ? commandIn(typed)
    : (SHELL.exec(typed)?.[1]?.replace(/^/, "! ") ?? typed);
  return { kind: "request", text: said, images: [] };
}

/** "/plan the words behind it". */
function commandIn(text: string): string {
  const inside = (tag: string): string =>
    new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`).exec(text)?.[1]?.trim() ?? "";
  const name = inside("command-name") || inside("command-message");
  return `${name.startsWith("/") ? "" : "/"}${name} ${inside("command-args")}`.trim();
}

function answerIn({ tool_use_id, content, is_error }: Fields, details: Fields): readonly Part[] {
  const call = textOf(tool_use_id);
  if (call === undefined) return [unknownPart("user/tool_result")];
  const blocks = partsOf(content);
  const said = textsIn(blocks.map((block) => textOf(block.text) ?? toolNamedBy(block))).join("\n");
  // The client shows the agent only the beginning of a long output. The line has more of it.
  const isCut = said.startsWith(PERSISTED);
  const whole = isCut ? textsIn([details.stdout, details.stderr]).join("\n") : "";
  const text = withoutInjectedEnd(whole.length > said.length ? whole : said);
  const images = present(...blocks.map(imageIn));
  const answer = {
    kind: "answer",
    call,
    text,
    isError: is_error === true,
    images,
    details,
  } as const;
  return [answer, ...unknownBlocks(blocks, "answer")];
}

function assistantLine(fields: Fields): readonly Part[] {
  const { content, model } = fieldsOf(fields.message);
  // The client wrote this in the agent's name, such as after a network error.
  if (model === "<synthetic>") return [leaveOut("assistant", "synthetic")];
  return orUnknown(partsOf(content).map(partOfAnswer), "assistant");
}

function partOfAnswer({ type, text, id, name, input }: Fields): Part {
  if (type === "text") return replyOf(text);
  if (type === "thinking" || type === "redacted_thinking") return leaveOut("assistant", type);
  const call = textOf(id);
  const tool = textOf(name);
  if (type === "tool_use" && call !== undefined && tool !== undefined)
    return { kind: "call", call, tool, input: fieldsOf(input) };
  return unknownPart(`assistant/${type}`);
}

function unknownBlocks(blocks: readonly Fields[], where: string): Part[] {
  const others = blocks.filter(({ type }) => !KNOWN_BLOCKS.has(type));
  return others.map(({ type }) => unknownPart(`${where}/${type}`));
}

/** A search of tools answers with references to them. */
const toolNamedBy = ({ type, tool_name }: Fields): string | undefined =>
  type === "tool_reference" ? `Tool: ${tool_name}` : undefined;

/** A note of an image or of a document such as a PDF. */
function imageIn({ type, source }: Fields): ImageNote | undefined {
  if (type !== "image" && type !== "document") return undefined;
  const { media_type, data, type: encoding } = fieldsOf(source);
  const content = textOf(data) ?? "";
  const base64 = encoding === "text" ? Buffer.from(content).toString("base64") : content;
  return noteOfImage(textOf(media_type), base64);
}
