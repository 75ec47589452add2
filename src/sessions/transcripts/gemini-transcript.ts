/** Reads a line of Gemini CLI, a message or a change. A message is repeated with its id when more of it is known. Tested with version 0.61.0. */
import { fieldsOf, known, listOf, partsOf, textOf, textsIn, textsOf } from "./fields.ts";
import {
  leaveOut,
  orUnknown,
  type Part,
  type ReadObject,
  readJsonLine,
  unknownPart,
} from "./json-lines.ts";
import { noteOfImage, withoutInjected } from "./not-said.ts";
import type { Fields, ImageNote, LineReading } from "./transcript.ts";
import { requestsOf, voiceOfText } from "./voices.ts";

export const agent = "gemini";
export const name = "Gemini CLI";
export const revision = 3;

/** Messages of the client itself. */
const OWN: ReadonlySet<unknown> = new Set(["info", "warning", "error"]);
/** The client's note when the user stops it, before its last work. A `gemini -p` that is killed notes nothing. */
const CANCELLED = "Request cancelled.";
const INJECTED = /^\s*<(?:session_context|hook_context|user_memory|system_note)>/;
/** The contents of the user's files follow. */
const FILES = /^--- Content from referenced files ---[ \t]*$/m;
/** The agent may think before it sums up. */
const SNAPSHOT =
  /^\s*(?:<scratchpad>[\s\S]*?<\/scratchpad>\s*)?<state_snapshot>([\s\S]*)<\/state_snapshot>/;

/** A change may contain the whole conversation so far, including messages that have no line. */
export function readLine(text: string): readonly LineReading[] {
  const isLine = (fields: Fields) =>
    "$set" in fields ||
    "$rewindTo" in fields ||
    ("timestamp" in fields && "type" in fields && "id" in fields);
  return readJsonLine(text, isLine, readObject);
}

function readObject(fields: Fields): ReadObject | readonly ReadObject[] {
  if (fields.sessionId !== undefined && fields.content === undefined) return headerOf(fields);
  if (fields.$set !== undefined) return changeOf(fieldsOf(fields.$set));
  // Messages that the user took back were still part of the conversation.
  if (fields.$rewindTo !== undefined)
    return { parts: [leaveOut("$rewindTo")], line: {}, isConversation: false };
  return messageOf(fields);
}

/** A child agent's chat has its own id, and is in a folder with the session's id. */
function headerOf({ sessionId, kind, startTime }: Fields): ReadObject {
  const id = textOf(sessionId);
  const whose =
    kind === "subagent" ? { opens: known({ childAgent: id }) } : { session: id, opens: {} };
  return {
    parts: [],
    line: known({ ...whose, ts: textOf(startTime) }),
    isConversation: false,
    isPlace: true,
  };
}

/** A summary replaces the messages with its time, which were read already and have new ids. */
function changeOf({ messages }: Fields): ReadObject | readonly ReadObject[] {
  const all = listOf(messages).map(fieldsOf);
  const at = all.findIndex((message) => summaryIn(message) !== undefined);
  const snapshot = all[at];
  const others = snapshot
    ? all.slice(at).filter(({ timestamp }) => timestamp !== snapshot.timestamp)
    : all;
  const named = others.filter(({ id }) => textOf(id) !== undefined).map(messageOf);
  const change = { parts: [leaveOut("$set")], line: {}, isConversation: false };
  return [
    snapshot ? messageOf(snapshot) : change,
    ...named.map((message) => ({
      ...message,
      line: { ...message.line, isRepetition: true } as const,
    })),
  ];
}

function messageOf(fields: Fields): ReadObject {
  const line = known({ id: textOf(fields.id), ts: textOf(fields.timestamp) });
  return { parts: partsIn(fields), line, isConversation: "content" in fields };
}

function partsIn(fields: Fields): readonly Part[] {
  const type = textOf(fields.type) ?? "untyped";
  if (type === "user") return orUnknown(requestIn(fields), type);
  if (type === "gemini") return answerIn(fields);
  if (type === "info" && textIn(fields.content) === CANCELLED) return [{ kind: "interruption" }];
  return [OWN.has(type) ? leaveOut(type) : unknownPart(type)];
}

/** The agent's summary, which the client writes as a message of the user, but without the field for the screen. */
function summaryIn({ type, content, displayContent }: Fields): string | undefined {
  if (type !== "user" || displayContent !== undefined) return undefined;
  return SNAPSHOT.exec(textIn(content))?.[1]?.trim();
}

function requestIn(fields: Fields): readonly Part[] {
  const summary = summaryIn(fields);
  if (summary !== undefined) return [{ kind: "compaction" }, { kind: "summary", text: summary }];
  const parts = partsOf(fields.content);
  const shown = textsOf(partsOf(fields.displayContent ?? ""));
  const texts = shown.length > 0 ? shown : withoutFiles(textsOf(parts));
  const said = texts.filter((text) => !INJECTED.test(text)).map(withoutInjected);
  const images: ImageNote[] = [];
  for (const { inlineData } of parts) {
    const { mimeType, data } = fieldsOf(inlineData);
    if (typeof data === "string") images.push(noteOfImage(textOf(mimeType), data));
  }
  const text = said.join("\n").trim();
  // Calls contain their results.
  const hasResults = parts.some(({ functionResponse }) => functionResponse !== undefined);
  const isCut = said.length < texts.length || (text === "" && texts.length > 0);
  const request = requestsOf(text === "" ? [] : [{ text, voice: voiceOfText(text) }], images);
  if (hasResults) request.push(leaveOut("user", "functionResponse"));
  else if (isCut) request.push(leaveOut("user", "injected"));
  return request;
}

/** The texts before the contents of files that the user mentioned. */
function withoutFiles(texts: readonly string[]): readonly string[] {
  const first = texts.findIndex((text) => FILES.test(text));
  if (first < 0) return texts;
  const before = (texts[first] ?? "").split(FILES, 1)[0] ?? "";
  return [...texts.slice(0, first), before];
}

function answerIn({ content, toolCalls, thoughts }: Fields): readonly Part[] {
  const text = textIn(content).trim();
  const parts: Part[] = [];
  if (text !== "") parts.push({ kind: "reply", text });
  parts.push(...listOf(toolCalls).map(fieldsOf).flatMap(callIn));
  if (listOf(thoughts).length > 0) parts.push(leaveOut("gemini", "thoughts"));
  // The client writes it before its calls are known.
  return parts.length === 0 ? [leaveOut("gemini", "blank")] : parts;
}

function callIn(fields: Fields): readonly Part[] {
  const call = textOf(fields.id);
  const tool = textOf(fields.name);
  if (call === undefined || tool === undefined) return [unknownPart("gemini/toolCall")];
  const asked = { kind: "call", call, tool, input: fieldsOf(fields.args) } as const;
  const responses = listOf(fields.result).map((part) =>
    fieldsOf(fieldsOf(fieldsOf(part).functionResponse).response),
  );
  if (responses.length === 0 && fields.status !== "cancelled") return [asked];
  const texts = textsIn(responses.map(({ output, error }) => textOf(output) ?? error));
  const text = texts.join("\n");
  const isError = fields.status === "error" || fields.status === "cancelled";
  const details = { status: fields.status, agentId: fields.agentId };
  return [asked, { kind: "answer", call, text, isError, images: [], details }];
}

const textIn = (content: unknown): string => textsOf(partsOf(content)).join("\n");
