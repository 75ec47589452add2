/** VS Code: its configuration, its rules, its hooks and what they send, and how long a result it shows. */
import { claudeCodeProtocol, PATCHED, readFields } from "./claude-code.ts";
import type { Client, HookTable } from "./client.ts";
import {
  type EventKind,
  HOOK_TIMEOUT_SECONDS,
  type HookProtocol,
  type Payload,
} from "./hook-event.ts";

/** When it runs our hook, and what each event is. */
const EVENTS: Readonly<Record<string, EventKind | "before-tool" | "tool">> = {
  SessionStart: "session-start",
  UserPromptSubmit: "prompt",
  PreToolUse: "before-tool",
  PostToolUse: "tool",
  Stop: "stop",
};

const SHELL_TOOL = "run_in_terminal";
const READ_TOOL = "read_file";
/** It cuts the name of a server off before that of a tool. */
const LOG_TOOL = /^mcp_.*_log_memory$/;
const EDIT_TOOLS: readonly string[] = [
  "create_file",
  "replace_string_in_file",
  "multi_replace_string_in_file",
  "insert_edit_into_file",
  "edit_notebook_file",
  "apply_patch",
];

/** The folder of its chat extension, where it keeps transcripts. Nothing else in a payload says that it is VS Code's. */
const TRANSCRIPTS = /[/\\]GitHub\.copilot-chat[/\\]transcripts[/\\]/i;

/** What a hook said before the call stands behind the call's output: an error that a lesson names is not one of the call. */
const OWN_CONTEXT = /<PreToolUse-context>[\s\S]*?<\/PreToolUse-context>/g;

export const vscodeProtocol: HookProtocol = {
  name: "VS Code",
  events: Object.keys(EVENTS),
  sent: (payload) => TRANSCRIPTS.test(payload.text("transcript_path")),
  read(payload) {
    const name = payload.text("hook_event_name");
    const kind = kindOf(EVENTS[name], payload.text("tool_name"));
    if (kind === undefined) return undefined;
    const event = readFields(payload, name, kind);
    const output = event.output.replace(OWN_CONTEXT, "");
    return { ...event, output, file: fileOf(payload.inner("tool_input")) };
  },
  startsCaptures: true,
  instructions: "AGENTS.md",
  addContext: claudeCodeProtocol.addContext,
  hold: claudeCodeProtocol.hold,
  goOn: (reason) => ({ hookSpecificOutput: { hookEventName: "Stop", decision: "block", reason } }),
};

export const vscode: Client = {
  id: "vscode",
  name: "VS Code",
  clientName: /^(?:visual studio code(?: - insiders)?|vs ?code|code-server)$/i,
  page: "docs/vscode.md",
  signs: [".vscode/mcp.json", ".github/copilot-instructions.md"],
  server: {
    files: [".vscode/mcp.json"],
    format: "json",
    key: "servers",
    entry: ({ fromWorkspace: { command, args } }) => ({ type: "stdio", command, args }),
  },
  rules: [{ path: "AGENTS.md" }],
  hooks: {
    path: ".github/hooks/sentinel-memory.json",
    table: vscodeHooks,
    protocol: vscodeProtocol,
  },
  // It writes a longer result to a file, which the model has to read in a second call.
  answers: {
    cutsAt: { characters: 8_192 },
    budget: { characters: 8_000, bytes: 24_000, tokens: 9_700 },
  },
  asks: "open .vscode/mcp.json and choose Start above the entry.",
};

function vscodeHooks(command: string): HookTable {
  const hook = { type: "command", command, timeout: HOOK_TIMEOUT_SECONDS };
  return Object.fromEntries(Object.keys(EVENTS).map((event) => [event, hook]));
}

function kindOf(listed: (typeof EVENTS)[string] | undefined, tool: string): EventKind | undefined {
  const isEdit = EDIT_TOOLS.includes(tool);
  if (listed === "before-tool") {
    if (tool === SHELL_TOOL) return "before-command";
    return isEdit ? "before-edit" : undefined;
  }
  if (listed !== "tool") return listed;
  if (LOG_TOOL.test(tool)) return "log";
  if (tool === READ_TOOL) return "read";
  if (tool === SHELL_TOOL) return "result";
  return isEdit ? "edit" : undefined;
}

/** The file of a call; of a call with several, the first. */
function fileOf(input: Payload): string {
  return (
    input.text("filePath") ||
    input.inner("replacements").inner("0").text("filePath") ||
    (PATCHED.exec(input.text("input"))?.[1] ?? "")
  );
}
