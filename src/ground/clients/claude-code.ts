/** Claude Code: its configuration, its rules, its hooks and what they send. */
import { type Client, type HookTable, SERVER_NAME } from "./client.ts";
import { type HookField, hookCall } from "./hook-call.ts";
import {
  type EventKind,
  type EventTable,
  eventKind,
  HOOK_TIMEOUT_SECONDS,
  type HookEvent,
  type HookProtocol,
  type Payload,
  type ToolNames,
} from "./hook-event.ts";
import { hookFrom } from "./launch.ts";

/** The folder that it was started in, and has its hooks from; a session may have gone on to another. */
const WORKSPACE_VARIABLE = "CLAUDE_PROJECT_DIR";

/** When it runs our hook, and what each event is. */
export const CLAUDE_CODE_EVENTS: EventTable = {
  SessionStart: "session-start",
  UserPromptSubmit: "prompt",
  PreToolUse: "before-tool",
  PostToolUse: "tool",
  PostToolUseFailure: "failure",
  Stop: "stop",
};

/** The events at the start and at the end of a session. */
export const SESSION_START = "SessionStart";
export const SESSION_END = "SessionEnd";

/** The person's own, beside the team's; from the project's folder. */
export const PERSONAL_HOOKS = ".claude/settings.local.json";

/** When it starts a capture, and first of all when it says that a session is recorded. No call of a tool does. Codex has the same. */
const RECORD_EVENTS = [
  SESSION_START,
  "Stop",
  "SubagentStop",
  "PreCompact",
  "PostCompact",
  SESSION_END,
];

const SHELL_TOOL = "Bash";
const READ_TOOL = "Read";
export const EDIT_TOOLS: readonly string[] = ["Edit", "Write", "MultiEdit", "NotebookEdit"];
/** How Codex edits: a patch, whose first file counts. */
const PATCH_TOOL = "apply_patch";
const PATCHED = /^\*\*\* (?:Add|Delete|Update) File: (.+)$/m;
/** Every client puts the server's name before that of the tool, in a form of its own. */
export const LOG_TOOL = /(?:^|__|[:.])log_memory$/;
const TOOLS: ToolNames = {
  shell: SHELL_TOOL,
  read: READ_TOOL,
  edits: [...EDIT_TOOLS, PATCH_TOOL],
  log: LOG_TOOL,
};

export const claudeCodeProtocol: HookProtocol = {
  name: "Claude Code",
  events: Object.keys(CLAUDE_CODE_EVENTS),
  sent: () => true,
  read: (payload) => readClaudeCodePayload(payload, CLAUDE_CODE_EVENTS),
  workspaceVariable: WORKSPACE_VARIABLE,
  callsServer: true,
  instructions: "CLAUDE.md",
  addContext: (additionalContext, { name }) => ({
    hookSpecificOutput: { hookEventName: name, additionalContext },
  }),
  hold: (permissionDecisionReason, { name }) => ({
    hookSpecificOutput: {
      hookEventName: name,
      permissionDecision: "deny",
      permissionDecisionReason,
    },
  }),
  goOn: (reason) => ({ decision: "block", reason }),
};

export const claudeCode: Client = {
  id: "claude",
  name: "Claude Code",
  clientName: /^claude[- ]code$/i,
  agent: "claude-code",
  page: "docs/claude-code.md",
  signs: [".claude", "CLAUDE.md", ".mcp.json"],
  server: {
    files: [".mcp.json"],
    format: "json",
    key: "mcpServers",
    entry: ({ here: { command, args } }) => ({ command, args }),
  },
  rules: [{ path: "CLAUDE.md" }],
  hooks: { path: ".claude/settings.json", table: claudeCodeHooks, protocol: claudeCodeProtocol },
  sessionHooks: { path: PERSONAL_HOOKS, table: sessionHooks },
  // A longer result becomes a file with a preview; from 10,000 tokens on it warns.
  answers: { cutsAt: { characters: 50_000, tokens: 10_000 } },
  workspaceVariable: WORKSPACE_VARIABLE,
  asks: "start claude in the project and approve the server; every user does so once.",
};

/** The hook table of `.claude/settings.json` and of the plugin: a process at the start, when no server is connected yet. @internal */
export function claudeCodeHooks(command: string, server: string = SERVER_NAME): HookTable {
  const start = {
    type: "command",
    command: hookFrom(`$${WORKSPACE_VARIABLE}`, command),
    timeout: HOOK_TIMEOUT_SECONDS,
  };
  return Object.fromEntries(
    Object.keys(CLAUDE_CODE_EVENTS).map((event) => {
      const fields = FIELDS[event];
      const hooks = [fields === undefined ? start : hookCall(server, event, fields)];
      return [event, event in MATCHERS ? { matcher: MATCHERS[event], hooks } : { hooks }];
    }),
  );
}

const TOOL_FIELDS: readonly HookField[] = [
  "agent_id",
  "tool_name",
  "tool_input.command",
  "tool_input.file_path",
  "tool_input.notebook_path",
];
/** The fields that calls of the server carry, by event. */
const FIELDS: Readonly<Record<string, readonly HookField[]>> = {
  UserPromptSubmit: ["prompt"],
  PreToolUse: TOOL_FIELDS,
  PostToolUse: TOOL_FIELDS,
  PostToolUseFailure: [...TOOL_FIELDS, "error"],
  Stop: ["stop_hook_active"],
};
/** A matcher with a hyphen is a regular expression, which would also find TodoWrite; a plugin's tool has a longer name. */
const MATCHERS: Readonly<Record<string, string>> = {
  PreToolUse: `^(${[SHELL_TOOL, ...EDIT_TOOLS].join("|")})$`,
  PostToolUse: `^(${[READ_TOOL, ...EDIT_TOOLS].join("|")}|mcp__.*sentinel-memory__log_memory)$`,
};

/** The hook table of a person's own hook file, while recording is on. */
export function sessionHooks(command: string): HookTable {
  const hooks = [{ type: "command", command, timeout: HOOK_TIMEOUT_SECONDS }];
  return Object.fromEntries(RECORD_EVENTS.map((event) => [event, { hooks }]));
}

/** Reads a payload that has the fields of Claude Code; other clients imitate them. */
export function readClaudeCodePayload(payload: Payload, events: EventTable): HookEvent | undefined {
  const name = payload.text("hook_event_name");
  const kind = eventKind(events[name], payload.text("tool_name"), TOOLS);
  if (kind === undefined) return undefined;
  return readFields(payload, name, kind);
}

/** The first file of a patch; empty for another text. */
export const patchedFile = (patch: string): string => PATCHED.exec(patch)?.[1] ?? "";

/** The fields that a client's payload shares with those of Claude Code. */
export function readFields(payload: Payload, name: string, kind: EventKind): HookEvent {
  const input = payload.inner("tool_input");
  return {
    name,
    kind,
    session: payload.text("session_id"),
    folder: payload.text("cwd") || undefined,
    prompt: payload.text("prompt"),
    file:
      input.text("file_path") || input.text("notebook_path") || patchedFile(input.text("command")),
    command: input.text("command"),
    output: payload.text("error") || payload.text("tool_response"),
    childAgent: payload.text("agent_id"),
    afterCompaction: payload.text("source") === "compact",
    // Text, where a call of the server carries it.
    causedByHook: String(payload.get("stop_hook_active")) === "true",
  };
}
