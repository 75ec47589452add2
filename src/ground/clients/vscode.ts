/** VS Code: its configuration, rules, hooks, hook payloads and result limit. */
import { claudeCodeProtocol, patchedFile, readFields } from "./claude-code.ts";
import type { Client, HookTable } from "./client.ts";
import {
  type EventTable,
  eventKind,
  HOOK_TIMEOUT_SECONDS,
  type HookProtocol,
  type Payload,
  type ToolNames,
} from "./hook-event.ts";

/** The events that run our hook, and the kind of each. */
const EVENTS: EventTable = {
  SessionStart: "session-start",
  UserPromptSubmit: "prompt",
  PreToolUse: "before-tool",
  PostToolUse: "tool",
  Stop: "stop",
};

const TOOLS: ToolNames = {
  shell: "run_in_terminal",
  read: "read_file",
  edits: [
    "create_file",
    "replace_string_in_file",
    "multi_replace_string_in_file",
    "insert_edit_into_file",
    "edit_notebook_file",
    "apply_patch",
  ],
  // VS Code shortens the server's name in tool names.
  log: /^mcp_.*_log_memory$/,
};

/** Path of the chat extension's transcripts. Nothing else in a payload identifies VS Code. */
const TRANSCRIPTS = /[/\\]GitHub\.copilot-chat[/\\]transcripts[/\\]/i;

/** VS Code appends the hook's text from before a call to the call's output. An error quoted in a lesson there isn't the call's error. */
const OWN_CONTEXT = /<PreToolUse-context>[\s\S]*?<\/PreToolUse-context>/g;

export const vscodeProtocol: HookProtocol = {
  name: "VS Code",
  events: Object.keys(EVENTS),
  sent: (payload) => TRANSCRIPTS.test(payload.text("transcript_path")),
  read(payload) {
    const name = payload.text("hook_event_name");
    const kind = eventKind(EVENTS[name], payload.text("tool_name"), TOOLS);
    if (kind === undefined) {
      return undefined;
    }
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
  signs: [".vscode/mcp.json", ".github/copilot-instructions.md"],
  server: {
    files: [".vscode/mcp.json"],
    format: "json",
    key: "servers",
    entry: ({ fromWorkspace: { command, args } }) => ({ type: "stdio", command, args }),
  },
  rules: "AGENTS.md",
  hooks: {
    path: ".github/hooks/sentinel-memory.json",
    table: vscodeHooks,
    protocol: vscodeProtocol,
  },
  // VS Code writes a longer result to a file, which the model must read in a second call.
  budget: { characters: 8_000, bytes: 24_000, tokens: 9_700 },
  asks: "open .vscode/mcp.json and choose Start above the entry.",
};

function vscodeHooks(command: string): HookTable {
  const hook = { type: "command", command, timeout: HOOK_TIMEOUT_SECONDS };
  return Object.fromEntries(Object.keys(EVENTS).map((event) => [event, hook]));
}

/** Returns the first file that a call edits or reads. */
function fileOf(input: Payload): string {
  return (
    input.text("filePath") ||
    input.inner("replacements").inner("0").text("filePath") ||
    patchedFile(input.text("input"))
  );
}
