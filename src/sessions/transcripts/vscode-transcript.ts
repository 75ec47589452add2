/** Reads a line of VS Code's chat, an event with an id and a time. Events don't contain the output of calls. Tested with version 1.139.1. */
import { basename } from "node:path";
import { fieldsOf, jsonIn, known, listOf, textOf, textsIn } from "./fields.ts";
import { patchedFiles, targetPaths } from "./files-of-command.ts";
import {
  leaveOut,
  orUnknown,
  type Part,
  type ReadObject,
  readJsonLine,
  replyOf,
  unknownPart,
} from "./json-lines.ts";
import { withoutInjected } from "./not-said.ts";
import type {
  Fields,
  Frame,
  LineReading,
  Meaning,
  ToldSession,
  ToolAnswer,
  ToolCall,
  ToolTarget,
} from "./transcript.ts";

export const agent = "vscode";
export const name = "VS Code";
export const revision = 1;

/** Finds nothing, because each edition has its own folder, which can be moved. Hooks report the paths. */
export const find = async (): Promise<readonly string[]> => [];

/** The session and its folder. @param toldOf returns a hook's report of a session. */
export async function frameOf(
  path: string,
  _folders: readonly string[],
  toldOf: (session: string) => ToldSession | undefined = () => undefined,
): Promise<Frame> {
  const session = basename(path, ".jsonl");
  return { session, ...known({ cwd: toldOf(session)?.folder }) };
}

/** Events that repeat others, or only frame them. */
const FRAMES: ReadonlySet<string> = new Set([
  "assistant.turn_start",
  "assistant.turn_end",
  "tool.execution_start",
]);

export function readLine(text: string): readonly LineReading[] {
  return readJsonLine(text, (fields) => "type" in fields && "data" in fields, readObject);
}

function readObject(fields: Fields): ReadObject {
  const type = textOf(fields.type) ?? "untyped";
  const data = fieldsOf(fields.data);
  const line = known({ id: textOf(fields.id), ts: textOf(fields.timestamp) });
  if (type === "session.start") {
    const opens = known({ version: textOf(data.vscodeVersion) });
    const session = known({ session: textOf(data.sessionId) });
    return {
      parts: [],
      line: { ...line, ...session, opens },
      isConversation: false,
      isPlace: true,
    };
  }
  return { parts: partsIn(type, data), line, isConversation: /^(?:user|assistant)\./.test(type) };
}

function partsIn(type: string, data: Fields): readonly Part[] {
  if (type === "user.message") return orUnknown(requestIn(data), type);
  if (type === "assistant.message") return answerIn(data);
  if (type === "tool.execution_complete") return orUnknown(resultIn(data), type);
  return [FRAMES.has(type) ? leaveOut(type) : unknownPart(type)];
}

function requestIn({ content }: Fields): readonly Part[] {
  const said = textOf(content);
  if (said === undefined) return [];
  const text = withoutInjected(said).trim();
  return text === "" ? [leaveOut("user", "injected")] : [{ kind: "request", text, images: [] }];
}

function answerIn({ content, toolRequests, reasoningText }: Fields): readonly Part[] {
  const calls = listOf(toolRequests).map(fieldsOf).map(callOf);
  const parts = textOf(content) === undefined && calls.length > 0 ? [] : [replyOf(content)];
  const thoughts = reasoningText === undefined ? [] : [leaveOut("assistant", "reasoningText")];
  return [...parts, ...calls, ...thoughts];
}

/** The input is JSON in a text, as the model wrote it. */
function callOf({ toolCallId, name: tool, arguments: input }: Fields): Part {
  const call = textOf(toolCallId);
  const named = textOf(tool);
  if (call === undefined || named === undefined) return unknownPart("assistant/toolRequest");
  return { kind: "call", call, tool: named, input: jsonIn(textOf(input) ?? "") };
}

function resultIn({ toolCallId, success, result }: Fields): readonly Part[] {
  const call = textOf(toolCallId);
  if (call === undefined) return [];
  const text = textOf(fieldsOf(result).content) ?? "";
  return [{ kind: "answer", call, text, isError: success === false, images: [], details: {} }];
}

const EDIT_TOOLS: readonly string[] = [
  "create_file",
  "replace_string_in_file",
  "multi_replace_string_in_file",
  "insert_edit_into_file",
  "edit_notebook_file",
];
const FILE_TOOLS: readonly string[] = ["read_file", ...EDIT_TOOLS];
const PATCH = "apply_patch";
const CHILD_AGENT = "runSubagent";

export function targetOf({ tool, input }: ToolCall): ToolTarget {
  const patched = tool === PATCH ? patchedFiles(textOf(input.input)) : [];
  const named = FILE_TOOLS.includes(tool) ? filesIn(input) : [];
  return known({
    ...targetPaths([...patched, ...named]),
    edits: patched.length > 0 || EDIT_TOOLS.includes(tool) || undefined,
    command: textOf(input.command),
    childTask: tool === CHILD_AGENT ? textOf(input.prompt) : undefined,
  });
}

function filesIn({ filePath, replacements }: Fields): string[] {
  const named = [filePath, ...listOf(replacements).map((one) => fieldsOf(one).filePath)];
  return [...new Set(textsIn(named))];
}

export function meaningOf(_: ToolCall, { text, isError }: ToolAnswer): Meaning {
  return isError ? { text, outcome: "failed" } : { text };
}
