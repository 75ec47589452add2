/** The messages between a Cursor agent and its backend that the tests use; field numbers as in @cursor/sdk 1.0.32. */
import { list, type MessageType, one } from "./protobuf.ts";

const EMPTY: MessageType = {};
/** Text and reason of an answer that says that nothing was done. */
const FAILURE: MessageType = { text: one(1, "string"), reason: one(2, "string") };
const HOOK_CONTEXT: MessageType = { event: one(1, "string"), content: one(2, "string") };
const OUTPUT_LOCATION: MessageType = { path: one(1, "string"), bytes: one(2, "int") };

const MCP_ARGS: MessageType = {
  name: one(1, "string"),
  args: one(2, "map"),
  toolCallId: one(3, "string"),
  provider: one(4, "string"),
  toolName: one(5, "string"),
  server: one(9, "string"),
};
const MCP_TEXT: MessageType = { text: one(1, "string"), movedTo: one(2, OUTPUT_LOCATION) };
const MCP_SUCCESS: MessageType = {
  content: list(1, { text: one(1, MCP_TEXT) }),
  isError: one(2, "bool"),
};
const MCP_RESULT: MessageType = {
  success: one(1, MCP_SUCCESS),
  error: one(2, FAILURE),
  rejected: one(3, FAILURE),
};

const SHELL_ARGS: MessageType = {
  command: one(1, "string"),
  toolCallId: one(4, "string"),
  skipApproval: one(12, "bool"),
};
const SHELL_DATA: MessageType = { data: one(1, "string") };
const SHELL_REJECTED: MessageType = { command: one(1, "string"), reason: one(3, "string") };
const SHELL_PART: MessageType = {
  stdout: one(1, SHELL_DATA),
  stderr: one(2, SHELL_DATA),
  exit: one(3, { code: one(1, "int") }),
  rejected: one(5, SHELL_REJECTED),
  denied: one(6, SHELL_REJECTED),
  hooks: one(8, { contexts: list(1, HOOK_CONTEXT) }),
};

const WRITE_ARGS: MessageType = {
  path: one(1, "string"),
  text: one(2, "string"),
  toolCallId: one(3, "string"),
};
const WRITE_RESULT: MessageType = {
  success: one(1, { path: one(1, "string") }),
  error: one(5, FAILURE),
  rejected: one(6, FAILURE),
};
const READ_ARGS: MessageType = { path: one(1, "string"), toolCallId: one(2, "string") };
const READ_RESULT: MessageType = {
  success: one(1, { path: one(1, "string"), content: one(2, "string") }),
  error: one(2, FAILURE),
  rejected: one(3, FAILURE),
};

const RULE: MessageType = {
  path: one(1, "string"),
  content: one(2, "string"),
  kind: one(3, { always: one(1, EMPTY) }),
};
const REQUEST_CONTEXT: MessageType = {
  rules: list(2, RULE),
  tools: list(7, { description: one(2, "string"), toolName: one(5, "string") }),
  instructions: list(14, { server: one(1, "string"), text: one(2, "string") }),
  fromHooks: one(25, "string"),
};

const USER_ACTION: MessageType = { message: one(1, { text: one(1, "string") }) };
const CONVERSATION: MessageType = { messages: list(1, "bytes") };
const RUN_REQUEST: MessageType = {
  conversation: one(1, CONVERSATION),
  action: one(2, { user: one(1, USER_ACTION) }),
};

const CALL: MessageType = {
  id: one(1, "int"),
  write: one(3, WRITE_ARGS),
  read: one(7, READ_ARGS),
  context: one(10, EMPTY),
  mcp: one(11, MCP_ARGS),
  shell: one(14, SHELL_ARGS),
  execId: one(15, "string"),
  takesHookContexts: one(55, "bool"),
};
const RESULT: MessageType = {
  id: one(1, "int"),
  write: one(3, WRITE_RESULT),
  read: one(7, READ_RESULT),
  context: one(10, { success: one(1, { context: one(1, REQUEST_CONTEXT) }) }),
  mcp: one(11, MCP_RESULT),
  shell: one(14, SHELL_PART),
  hookContexts: list(45, HOOK_CONTEXT),
};
const CLOSED: MessageType = { id: one(1, "int"), error: one(2, "string") };

const UPDATE: MessageType = {
  words: one(1, { text: one(1, "string") }),
  heartbeat: one(13, EMPTY),
  ended: one(14, { inputTokens: one(1, "int"), outputTokens: one(2, "int") }),
};
const STORE_BLOB: MessageType = {
  id: one(1, "int"),
  blob: one(3, { id: one(1, "bytes"), data: one(2, "bytes") }),
};

/** From the backend to the agent. */
export const TO_AGENT: MessageType = {
  update: one(1, UPDATE),
  call: one(2, CALL),
  conversation: one(3, CONVERSATION),
  store: one(4, STORE_BLOB),
};

/** From the agent to the backend. */
export const FROM_AGENT: MessageType = {
  run: one(1, RUN_REQUEST),
  result: one(2, RESULT),
  control: one(5, { closed: one(1, CLOSED), failed: one(2, CLOSED) }),
};

export const RUN_ID: MessageType = { id: one(1, "string") };
export const APPEND: MessageType = {
  hex: one(1, "string"),
  run: one(2, RUN_ID),
  place: one(3, "int"),
  bytes: one(4, "bytes"),
};
