/** Reads JSON-RPC leniently. null counts as absent, and every request gets an answer. (docs/design/ground.md, "The protocol") */
import { isObject } from "../core/collections.ts";
import type { Message, Reply } from "./eras.ts";

const PARSE_ERROR = -32700;
export const INVALID_REQUEST = -32600;
/** The only protocol version with batches. */
export const WITH_BATCHES = "2025-03-26";
/** The depth at which nulls are removed, enough for capabilities and clients in `_meta`. */
const DEEPEST_NULL = 5;

const ID_FORM = `The id of a request is a text, or a number of at most ${Number.MAX_SAFE_INTEGER}.`;

interface Answer extends Reply {
  readonly jsonrpc: "2.0";
  readonly id: unknown;
}

/** Handles one message. The reply is undefined if the request was canceled. Replies to notifications aren't sent. */
type Take = (message: Message) => Promise<Reply | undefined>;

/** Answers one line of input. Undefined if JSON-RPC requires no answer. @param hasBatches whether the client's protocol version has them. */
export async function answerLine(
  line: string,
  hasBatches: () => boolean,
  take: Take,
): Promise<object | undefined> {
  // Some clients send a byte order mark before their first message.
  const json = line.replace(/^\uFEFF/, "").trim();
  if (json === "") {
    return undefined;
  }
  let sent: unknown;
  try {
    sent = JSON.parse(json);
  } catch {
    return unparsable("The message is not JSON. Send each as one line of JSON in UTF-8.");
  }
  return answerSent(sent, hasBatches(), take);
}

/** Answers a message or a batch. The messages of a batch are handled one at a time. */
export async function answerSent(
  sent: unknown,
  hasBatches: boolean,
  take: Take,
): Promise<object | undefined> {
  if (!Array.isArray(sent)) {
    return answerOne(sent, take);
  }
  if (!hasBatches) {
    return invalidRequest(
      null,
      "This version of the protocol has no batches. Send each message alone.",
    );
  }
  if (sent.length === 0) {
    return invalidRequest(null, "A batch needs at least one message.");
  }
  const answers: Answer[] = [];
  for (const one of sent) {
    const answer = await answerOne(one, take);
    if (answer) {
      answers.push(answer);
    }
  }
  return answers.length > 0 ? answers : undefined;
}

export const unparsable = (message: string): Answer => failed(null, PARSE_ERROR, message);

/** @param id of the request, or null if it's unknown. */
const invalidRequest = (id: unknown, message: string): Answer =>
  failed(id, INVALID_REQUEST, message);

const failed = (id: unknown, code: number, message: string): Answer => ({
  jsonrpc: "2.0",
  id,
  error: { code, message },
});

async function answerOne(sent: unknown, take: Take): Promise<Answer | undefined> {
  if (!isObject(sent)) {
    return invalidRequest(null, "A message is an object.");
  }
  const { jsonrpc, id, method } = sent as Message;
  const knownId = requestId(id) ?? null;
  if (typeof method !== "string") {
    const isResponse = "result" in sent || "error" in sent;
    return isResponse
      ? undefined
      : invalidRequest(knownId, "A request needs a method, which is a text.");
  }
  const message = withoutNulls(sent, DEEPEST_NULL) as Message;
  const isNotification = id === undefined || (id === null && method.startsWith("notifications/"));
  if (isNotification) {
    await take(message);
    return undefined;
  }
  if (knownId === null) {
    return invalidRequest(null, ID_FORM);
  }
  if (jsonrpc !== "2.0") {
    return invalidRequest(id, 'A request needs "jsonrpc": "2.0".');
  }
  const reply = await take(message);
  return reply && { jsonrpc: "2.0", id, ...reply };
}

/** Returns a valid request id, or undefined. A number too large to be returned exactly in the answer is invalid. */
function requestId(id: unknown): string | number | undefined {
  if (typeof id === "string") {
    return id;
  }
  return typeof id === "number" && Math.abs(id) <= Number.MAX_SAFE_INTEGER ? id : undefined;
}

/** Removes nulls from a message, except from a tool's arguments, whose schema decides. @param levels how deep to look. */
function withoutNulls(value: unknown, levels: number): unknown {
  if (!isObject(value) || levels === 0) {
    return value;
  }
  const present = Object.entries(value).filter(([, inner]) => inner !== null);
  const cleaned = present.map(([name, inner]) => [
    name,
    name === "arguments" ? inner : withoutNulls(inner, levels - 1),
  ]);
  return Object.fromEntries(cleaned);
}
