/** Cursor: its configuration, its rules, its hooks and what they send. */
import { platformPath } from "../files/windows-paths.ts";
import { CLAUDE_CODE_EVENTS, readClaudeCodePayload } from "./claude-code.ts";
import type { Client } from "./client.ts";
import { type EventTable, HOOK_TIMEOUT_SECONDS, type HookProtocol } from "./hook-event.ts";

/** When it runs our hook. beforeSubmitPrompt is left out because it cannot give the model any context. */
const EVENTS: EventTable = {
  sessionStart: "session-start",
  afterFileEdit: "edit",
  afterMCPExecution: "tool",
  stop: "stop",
};

export const cursorProtocol: HookProtocol = {
  sent: (payload) => payload.text("cursor_version") !== "",
  instructions: "AGENTS.md",
  read(payload) {
    // It runs the hooks of .claude/settings.json too.
    const event = readClaudeCodePayload(payload, { ...CLAUDE_CODE_EVENTS, ...EVENTS });
    if (!event) return undefined;
    // A turn that its user stopped, or that failed, must not go on because of us.
    if (event.kind === "stop" && !["", "completed"].includes(payload.text("status")))
      return undefined;
    return {
      ...event,
      session: event.session || payload.text("conversation_id"),
      folder: platformPath(payload.inner("workspace_roots").text("0")) || event.folder,
      file: payload.text("file_path") || event.file,
      causedByHook: event.causedByHook || Number(payload.get("loop_count") ?? 0) > 0,
    };
  },
  startsCaptures: true,
  // It does not read an answer of this one.
  addContext: (text, { name }) =>
    name === "afterFileEdit" ? undefined : { additional_context: text },
  goOn: (reason) => ({ followup_message: reason }),
};

export const cursor: Client = {
  id: "cursor",
  name: "Cursor",
  clientName: /^cursor(?:-vscode)?$/i,
  page: "docs/cursor.md",
  signs: [".cursor", ".cursorrules"],
  server: {
    files: [".cursor/mcp.json"],
    format: "json",
    key: "mcpServers",
    // Cursor starts servers in the home folder, ignores cwd, and expands the argument. Other hosts that read its file may
    // pass the argument on unexpanded; they start the server where cwd says, and not all of them would expand a variable in it.
    entry: ({ inWorkspace: { command, args } }) => ({ command, args, cwd: "." }),
  },
  rules: [
    {
      path: ".cursor/rules/sentinel-memory.mdc",
      // Makes Cursor give the file to the model with every request.
      head: `---
description: Look into the project memory before a task, and add to it after.
alwaysApply: true
---
`,
    },
    // Older versions read it alone; newer ones call it legacy.
    { path: ".cursorrules" },
  ],
  hooks: {
    path: ".cursor/hooks.json",
    table: (command) =>
      Object.fromEntries(
        Object.keys(EVENTS).map((event) => [event, { command, timeout: HOOK_TIMEOUT_SECONDS }]),
      ),
    frame: { version: 1 },
    protocol: cursorProtocol,
  },
  workspaceVariable: "WORKSPACE_FOLDER_PATHS",
  asks: "open Settings, MCP (newer versions: Customize, MCPs), and switch sentinel-memory on.",
};
