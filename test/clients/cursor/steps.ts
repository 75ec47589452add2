/** What a script lets the model of Cursor do: words end a run, a call is run by the agent. */
import type { Message } from "./protobuf.ts";

/** A call, as the backend sends it and as the transcript names it. */
export interface Call {
  readonly kind: "mcp" | "shell" | "write" | "read" | "context";
  readonly args: Message;
  readonly tool: string;
  readonly input: object;
  /** What the model says and thinks before it; an empty thought is a redacted one. */
  readonly says?: string;
  readonly thinks?: readonly string[];
}
export type Step = string | Call;

/** The words that come with a call. */
type Words = Pick<Call, "says" | "thinks">;

/** A call of a tool of our server. */
export function mcp(toolName: string, args: object, words: Words = {}): Call {
  const server = "sentinel-memory";
  return {
    kind: "mcp",
    args: { name: `${server}-${toolName}`, toolName, provider: server, server, args },
    tool: "CallMcpTool",
    input: { server, toolName, arguments: args },
    ...words,
  };
}

export function shell(command: string, words: Words = {}): Call {
  return {
    kind: "shell",
    args: { command, skipApproval: true },
    tool: "Shell",
    input: { command },
    ...words,
  };
}

export function write(path: string, text: string, words: Words = {}): Call {
  return {
    kind: "write",
    args: { path, text },
    tool: "Write",
    input: { path, contents: text },
    ...words,
  };
}

export function read(path: string): Call {
  return { kind: "read", args: { path }, tool: "Read", input: { path } };
}

/** Asks the agent what it gives the model with a request: rules, tools, instructions. */
export const CONTEXT: Call = { kind: "context", args: {}, tool: "context", input: {} };

export const isCall = (step: Step): step is Call => typeof step !== "string";

export function callMessage({ kind, args }: Call, number: number, toolCallId: string): Message {
  return {
    id: number,
    execId: `exec-${number}`,
    [kind]: kind === "context" ? args : { ...args, toolCallId },
    takesHookContexts: true,
  };
}
