/** Claude Code: its configuration, rules, hooks and hook payloads. */
import { present } from "../core/text.ts";
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

/** The folder Claude Code started in and loaded its hooks from. The session may have changed to another folder since. */
const WORKSPACE_VARIABLE = "CLAUDE_PROJECT_DIR";

/** The events that run our hook, and the kind of each. */
export const CLAUDE_CODE_EVENTS: EventTable = {
  SessionStart: "session-start",
  UserPromptSubmit: "prompt",
  PreToolUse: "before-tool",
  PostToolUse: "tool",
  PostToolUseFailure: "failure",
  Stop: "stop",
};

/** The events at the start and end of a session. */
export const SESSION_START = "SessionStart";
export const SESSION_END = "SessionEnd";

/** The user's personal hook file, relative to the project's folder. The team's hook file is separate. */
export const PERSONAL_HOOKS = ".claude/settings.local.json";

/** The events that start a capture. `SessionStart` also announces that the session is recorded. Tool calls never start one. Codex uses the same events. */
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
/** Codex edits files with a patch. Only the first file in it is used. */
const PATCH_TOOL = "apply_patch";
const PATCHED = /^\*\*\* (?:Add|Delete|Update) File: (.+)$/m;
/** Clients prefix tool names with the server's name, each in a different format. */
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
  signs: [".claude", "CLAUDE.md", ".mcp.json"],
  server: {
    files: [".mcp.json"],
    format: "json",
    key: "mcpServers",
    entry: ({ here }) => here,
  },
  rules: "CLAUDE.md",
  hooks: { path: ".claude/settings.json", table: claudeCodeHooks, protocol: claudeCodeProtocol },
  sessionHooks: { path: PERSONAL_HOOKS, table: sessionHooks },
  workspaceVariable: WORKSPACE_VARIABLE,
  asks: "start claude in the project and approve the server; every user does so once.",
};

/** Builds the hook table of `.claude/settings.json` and of the plugin. SessionStart runs a process, because no server is connected yet. @internal */
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
/** The payload fields that each event sends to the server. */
const FIELDS: Readonly<Record<string, readonly HookField[]>> = {
  UserPromptSubmit: ["prompt", "transcript_path"],
  PreToolUse: TOOL_FIELDS,
  PostToolUse: [...TOOL_FIELDS, "tool_response.stdout", "tool_response.stderr"],
  PostToolUseFailure: [...TOOL_FIELDS, "error"],
  Stop: ["stop_hook_active"],
};
/** Claude Code reads a matcher with a hyphen as a regular expression. The anchors keep `Write` from matching `TodoWrite`, and `.*` allows the longer tool names of a plugin. */
const MATCHERS: Readonly<Record<string, string>> = {
  PreToolUse: `^(${[SHELL_TOOL, ...EDIT_TOOLS].join("|")})$`,
  PostToolUse: `^(${[SHELL_TOOL, READ_TOOL, ...EDIT_TOOLS].join("|")}|mcp__.*sentinel-memory__log_memory)$`,
};

/** Builds the hook table of the user's personal hook file, used while recording is on. */
export function sessionHooks(command: string): HookTable {
  const hooks = [{ type: "command", command, timeout: HOOK_TIMEOUT_SECONDS }];
  return Object.fromEntries(RECORD_EVENTS.map((event) => [event, { hooks }]));
}

/** Reads a payload with Claude Code's fields, which other clients imitate. Returns undefined if our hook ignores the event. */
export function readClaudeCodePayload(payload: Payload, events: EventTable): HookEvent | undefined {
  const name = payload.text("hook_event_name");
  const kind = eventKind(events[name], payload.text("tool_name"), TOOLS);
  if (kind === undefined) {
    return undefined;
  }
  return readFields(payload, name, kind);
}

/** Returns the first file in a patch, or an empty string if the text isn't a patch. */
export const patchedFile = (patch: string): string => PATCHED.exec(patch)?.[1] ?? "";

/** Reads the payload fields that other clients share with Claude Code. */
export function readFields(payload: Payload, name: string, kind: EventKind): HookEvent {
  const input = payload.inner("tool_input");
  return {
    name,
    kind,
    session: payload.text("session_id"),
    folder: payload.text("cwd") || undefined,
    prompt: payload.text("prompt"),
    transcript: payload.text("transcript_path"),
    file:
      input.text("file_path") || input.text("notebook_path") || patchedFile(input.text("command")),
    command: input.text("command"),
    output: payload.text("error") || outputIn(payload),
    childAgent: payload.text("agent_id"),
    afterCompaction: payload.text("source") === "compact",
    // This is a string if the hook is a call to the server.
    causedByHook: String(payload.get("stop_hook_active")) === "true",
  };
}

/** Returns the output of a command that didn't fail. Claude Code separates its two streams. */
function outputIn(payload: Payload): string {
  const response = payload.inner("tool_response");
  const streams = present(response.text("stdout"), response.text("stderr"));
  return payload.text("tool_response") || streams.join("\n");
}
