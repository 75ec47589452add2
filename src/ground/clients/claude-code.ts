/** Claude Code: its configuration, its rules, its hooks and what they send. */
import type { Client, HookTable } from "./client.ts";
import { type EventKind, HOOK_TIMEOUT_SECONDS, type HookEvent, type HookProtocol, type Payload } from "./hook-event.ts";

const WORKSPACE_VARIABLE = "CLAUDE_PROJECT_DIR";

export type EventTable = Readonly<Record<string, EventKind | "tool">>;

/** When it runs our hook, and what each event is; the event of a tool follows from the tool. */
export const CLAUDE_CODE_EVENTS: EventTable = {
  SessionStart: "session-start",
  UserPromptSubmit: "prompt",
  PostToolUse: "tool",
  Stop: "stop",
  PreCompact: "compaction",
};

/** The events at the start and at the end of a session. */
export const SESSION_START = "SessionStart";
export const SESSION_END = "SessionEnd";

/** The person's own, beside the team's; from the project's folder. */
export const PERSONAL_HOOKS = ".claude/settings.local.json";

/** When it starts a capture, and first of all when it says that a session is recorded. No call of a tool does. Codex has the same. */
const RECORD_EVENTS = [SESSION_START, "Stop", "SubagentStop", "PreCompact", "PostCompact", SESSION_END];

const READ_TOOL = "Read";
export const EDIT_TOOLS: readonly string[] = ["Edit", "Write", "MultiEdit", "NotebookEdit"];
/** Every client puts the server's name before that of the tool, in a form of its own. */
const LOG_TOOL = /(?:^|__|[:.])log_memory$/;

export const claudeCodeProtocol: HookProtocol = {
  sent: () => true,
  read: (payload) => readClaudeCodePayload(payload, CLAUDE_CODE_EVENTS),
  workspaceVariable: WORKSPACE_VARIABLE,
  addContext: (additionalContext, { name }) => ({ hookSpecificOutput: { hookEventName: name, additionalContext } }),
  goOn: (reason) => ({ decision: "block", reason }),
};

export const claudeCode: Client = {
  id: "claude",
  name: "Claude Code",
  clientName: /claude/i,
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

/** The hook table of `.claude/settings.json`, and of the plugin. @internal */
export function claudeCodeHooks(command: string): HookTable {
  const hooks = [{ type: "command", command, timeout: HOOK_TIMEOUT_SECONDS }];
  // A matcher with a hyphen is a regular expression, which would also find TodoWrite; a plugin's tool has a longer name.
  const matcher = `^(${[READ_TOOL, ...EDIT_TOOLS].join("|")}|mcp__.*sentinel-memory__log_memory)$`;
  return Object.fromEntries(
    Object.entries(CLAUDE_CODE_EVENTS).map(([event, kind]) => [
      event,
      kind === "tool" ? { matcher, hooks } : { hooks },
    ]),
  );
}

/** The hook table of a person's own hook file, while recording is on. */
export function sessionHooks(command: string): HookTable {
  const hooks = [{ type: "command", command, timeout: HOOK_TIMEOUT_SECONDS }];
  return Object.fromEntries(RECORD_EVENTS.map((event) => [event, { hooks }]));
}

/** Reads a payload that has the fields of Claude Code; other clients imitate them. */
export function readClaudeCodePayload(payload: Payload, events: EventTable): HookEvent | undefined {
  const name = payload.text("hook_event_name");
  const kind = events[name] === "tool" ? kindOfTool(payload.text("tool_name")) : events[name];
  if (kind === undefined) return undefined;
  const input = payload.inner("tool_input");
  return {
    name,
    kind,
    session: payload.text("session_id"),
    folder: payload.text("cwd") || undefined,
    prompt: payload.text("prompt"),
    file: input.text("file_path") || input.text("notebook_path"),
    afterCompaction: payload.text("source") === "compact",
    causedByHook: payload.get("stop_hook_active") === true,
  };
}

function kindOfTool(tool: string): EventKind | undefined {
  if (LOG_TOOL.test(tool)) return "log";
  if (tool === READ_TOOL) return "read";
  return EDIT_TOOLS.includes(tool) ? "edit" : undefined;
}
