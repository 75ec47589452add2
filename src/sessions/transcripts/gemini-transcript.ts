/**
 * Reads a line of a chat of Gemini CLI: JSON Lines, each a message or a change of what is known of the chat. A message is
 * written again whenever more of it is known, with the same id; its calls hold their results. Measured on version 0.61.0.
 */
import { hash } from "node:crypto";
import { fieldsOf, known, listOf, textOf } from "./fields.ts";
import { noteOfImage } from "./images.ts";
import { withoutInjected } from "./injected.ts";
import { readJsonLine } from "./json-lines.ts";
import { isNothing, joinSaid, leaveOut, type SaidIn } from "./said.ts";
import type { Fields, LineReading, TranscriptLine } from "./transcript.ts";

/** Messages of the client itself. */
const OWN: ReadonlySet<unknown> = new Set(["info", "warning", "error"]);
/** What the client notes when a person stops it; what it was doing comes after that. A `gemini -p` that is killed notes nothing. */
const CANCELLED = "Request cancelled.";
const INJECTED = /^\s*<(?:session_context|hook_context|user_memory|system_note)>/;
const SNAPSHOT = /<state_snapshot>([\s\S]*)<\/state_snapshot>/;

export function readGeminiLine(text: string): readonly LineReading[] {
  const isLine = (fields: Fields) =>
    "$set" in fields || "$rewindTo" in fields || ("timestamp" in fields && "type" in fields && "id" in fields);
  return readJsonLine(text, isLine, readingOf);
}

function readingOf(fields: Fields, text: string): LineReading {
  if (fields.sessionId !== undefined && fields.projectHash !== undefined) return headerOf(fields, text);
  if (fields.$set !== undefined) return changeOf(fieldsOf(fields.$set), text);
  // What was taken back was said all the same.
  if (fields.$rewindTo !== undefined) return { leftOut: ["$rewindTo"], unknown: [], isConversation: false };
  return messageOf(fields, text);
}

/** A child agent's chat has its own id, and lies in a folder with that of the session. */
function headerOf({ sessionId, kind, startTime }: Fields, text: string): LineReading {
  const id = textOf(sessionId);
  const opens = kind === "subagent" ? known({ childAgent: id }) : {};
  const session = kind === "subagent" ? {} : known({ session: id });
  const line: TranscriptLine = {
    id: hash("sha256", text),
    ...session,
    ...known({ ts: textOf(startTime) }),
    opens,
    says: [],
  };
  return { line, leftOut: [], unknown: [], isConversation: false };
}

/** The messages are those that were said already, unless a summary takes their place. */
function changeOf({ messages }: Fields, text: string): LineReading {
  const snapshot = listOf(messages)
    .map(fieldsOf)
    .find(({ content }) => SNAPSHOT.test(textIn(content)));
  if (!snapshot) return { leftOut: ["$set"], unknown: [], isConversation: false };
  return messageOf(snapshot, text);
}

function messageOf(fields: Fields, text: string): LineReading {
  const { says, leftOut, unknown } = saidIn(fields);
  const rest = { leftOut, unknown, isConversation: "content" in fields };
  if (says.length === 0) return rest;
  const line = { id: textOf(fields.id) ?? hash("sha256", text), ...known({ ts: textOf(fields.timestamp) }), says };
  return { line, ...rest };
}

function saidIn(fields: Fields): Required<SaidIn> {
  const type = textOf(fields.type) ?? "untyped";
  const said = type === "user" ? requestIn(fields.content) : type === "gemini" ? answerIn(fields) : undefined;
  if (type === "info" && textIn(fields.content) === CANCELLED) return joinSaid([{ says: [{ kind: "interruption" }] }]);
  if (said) return joinSaid([isNothing(said) ? { says: [], unknown: [type] } : said]);
  return joinSaid([OWN.has(type) ? leaveOut(type) : { says: [], unknown: [type] }]);
}

function requestIn(content: unknown): SaidIn {
  const parts = partsOf(content);
  const summary = SNAPSHOT.exec(textIn(content))?.[1];
  if (summary !== undefined) return { says: [{ kind: "compaction" }, { kind: "summary", text: summary.trim() }] };
  const texts = parts.flatMap(({ text }) => textOf(text) ?? []);
  const said = texts.filter((text) => !INJECTED.test(text)).map(withoutInjected);
  const images = parts.flatMap(({ inlineData }) => {
    const { mimeType, data } = fieldsOf(inlineData);
    return typeof data === "string" ? [noteOfImage(textOf(mimeType), data)] : [];
  });
  const text = said.join("\n").trim();
  // The results of calls stand in the calls.
  const leftOut = parts.some(({ functionResponse }) => functionResponse !== undefined)
    ? ["user/functionResponse"]
    : said.length < texts.length || (text === "" && texts.length > 0)
      ? ["user/injected"]
      : [];
  if (text === "" && images.length === 0) return { says: [], leftOut };
  return { says: [{ kind: "request", text, images }], leftOut };
}

function answerIn({ content, toolCalls, thoughts }: Fields): SaidIn {
  const text = textIn(content).trim();
  const reply: SaidIn = text === "" ? { says: [] } : { says: [{ kind: "reply", text }] };
  const calls = listOf(toolCalls).map(fieldsOf).map(callIn);
  const leftOut = listOf(thoughts).length > 0 ? ["gemini/thoughts"] : [];
  const said = joinSaid([reply, ...calls, { says: [], leftOut }]);
  // It is written before its calls are known.
  return isNothing(said) ? leaveOut("gemini", "blank") : said;
}

function callIn(fields: Fields): SaidIn {
  const [call, tool] = [textOf(fields.id), textOf(fields.name)];
  if (call === undefined || tool === undefined) return { says: [], unknown: ["gemini/toolCall"] };
  const asked = { kind: "call", call, tool, input: fieldsOf(fields.args) } as const;
  const responses = listOf(fields.result).map((part) => fieldsOf(fieldsOf(fieldsOf(part).functionResponse).response));
  if (responses.length === 0 && fields.status !== "cancelled") return { says: [asked] };
  const text = responses.flatMap(({ output, error }) => textOf(output) ?? textOf(error) ?? []).join("\n");
  const isError = fields.status === "error" || fields.status === "cancelled";
  const details = { status: fields.status, agentId: fields.agentId };
  return { says: [asked, { kind: "answer", call, text, isError, images: [], details }] };
}

/** A text alone stands for one part. */
function partsOf(content: unknown): Fields[] {
  return typeof content === "string" ? [{ text: content }] : [content].flat().map(fieldsOf);
}

function textIn(content: unknown): string {
  return partsOf(content)
    .flatMap(({ text }) => textOf(text) ?? [])
    .join("\n");
}
