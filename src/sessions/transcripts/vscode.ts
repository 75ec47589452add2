/** Reads the chats of VS Code, events with an id and a time. Events don't contain the output of calls. Tested with version 1.139.1. */
import { basename } from "node:path";
import { fieldsOf, jsonIn, listOf, textOf } from "./fields.ts";
import { callOf, replyOf, requestOf, unknownPart, withoutInjected } from "./parts.ts";
import type { Fields, Part, TranscriptReader } from "./transcript.ts";

/** Events with a part of the conversation. The beginning and the end of a turn only frame it. */
const CONVERSATION = /^(?:user|assistant)\.(?!turn_)/;

export const vscodeReader: TranscriptReader = {
  agent: "vscode",
  name: "VS Code",
  revision: 1,
  /** Finds nothing, because each edition has its own folder, which can be moved. Hooks report the paths. */
  find: async () => [],
  async frameOf(path, _folders, told) {
    const session = basename(path, ".jsonl");
    return { session, cwd: told[session]?.folder };
  },
  read(fields) {
    const type = textOf(fields.type) ?? "untyped";
    const data = fieldsOf(fields.data);
    const line = { id: textOf(fields.id), ts: textOf(fields.timestamp) };
    if (type === "session.start") {
      const opens = { version: textOf(data.vscodeVersion) };
      const session = textOf(data.sessionId);
      return { parts: [], line: { ...line, session, opens }, isConversation: false, isPlace: true };
    }
    return { parts: partsIn(type, data), line, isConversation: CONVERSATION.test(type) };
  },
  meaningOf: (_call, { text, isError }) => ({ text, outcome: isError ? "failed" : undefined }),
};

function partsIn(type: string, data: Fields): readonly Part[] {
  if (type === "user.message") {
    return userMessage(data);
  }
  if (type === "assistant.message") {
    return answerIn(data);
  }
  if (type === "tool.execution_complete") {
    return resultIn(data);
  }
  return CONVERSATION.test(type) ? [unknownPart(type)] : [];
}

function userMessage({ content }: Fields): readonly Part[] {
  const said = textOf(content);
  if (said === undefined) {
    return [unknownPart("user.message")];
  }
  const text = withoutInjected(said).trim();
  return text === "" ? [] : [requestOf(text)];
}

function answerIn({ content, toolRequests }: Fields): readonly Part[] {
  return [...replyOf(content), ...listOf(toolRequests).map(fieldsOf).map(callIn)];
}

/** The input is JSON in a text, as the model wrote it. */
function callIn({ toolCallId, name, arguments: input }: Fields): Part {
  const call = callOf(toolCallId, name, jsonIn(textOf(input) ?? ""));
  return call ?? unknownPart("assistant/toolRequest");
}

function resultIn({ toolCallId, success, result }: Fields): readonly Part[] {
  const call = textOf(toolCallId);
  if (call === undefined) {
    return [unknownPart("tool.execution_complete")];
  }
  const text = textOf(fieldsOf(result).content) ?? "";
  return [{ kind: "answer", call, text, isError: success === false, images: [], details: {} }];
}
