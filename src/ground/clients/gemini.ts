/** Gemini CLI: its configuration, rules, hooks and result limit. */
import { claudeCodeProtocol, readFields } from "./claude-code.ts";
import { type Client, type HookTable, SERVER_NAME } from "./client.ts";
import { type EventKind, HOOK_TIMEOUT_SECONDS, type HookProtocol } from "./hook-event.ts";

/** Gemini CLI's hooks can't add context before a tool call. */
const EVENTS = { BeforeAgent: "prompt", AfterTool: "tool" } as const;
const HOOKS = ".gemini/settings.json";
const TOOLS: Readonly<Record<string, EventKind>> = {
  run_shell_command: "result",
  read_file: "read",
  write_file: "edit",
  replace: "edit",
};

export const geminiProtocol: HookProtocol = {
  ...claudeCodeProtocol,
  name: "Gemini CLI",
  events: Object.keys(EVENTS),
  sent: (payload) => payload.text("hook_event_name") in EVENTS,
  read: (payload) => {
    const name = payload.text("hook_event_name");
    const kind = name === "AfterTool" ? TOOLS[payload.text("tool_name")] : EVENTS.BeforeAgent;
    const output = payload.inner("tool_response").text("llmContent");
    return kind && { ...readFields(payload, name, kind), output };
  },
  hold: undefined,
  goesOnAtPrompt: HOOKS,
};

export const gemini: Client = {
  id: "gemini",
  name: "Gemini CLI",
  // Gemini CLI appends the name that the user gave our entry.
  clientName: /^gemini(?: cli|-cli-mcp-client(?:-.+)?)$/i,
  signs: [".gemini", "GEMINI.md"],
  server: {
    files: [".gemini/settings.json"],
    format: "json",
    key: "mcpServers",
    entry: ({ inProject }) => inProject,
  },
  rules: "GEMINI.md",
  hooks: { path: HOOKS, table: geminiHooks, protocol: geminiProtocol, needsTrust: true },
  asks: "start gemini in the project's folder and trust that folder.",
};

/** Builds Gemini CLI's hook table. Timeouts are in milliseconds. Each hook has a name because Gemini CLI shows it to the user at every start. */
function geminiHooks(command: string): HookTable {
  const hooks = [
    { type: "command", name: SERVER_NAME, command, timeout: HOOK_TIMEOUT_SECONDS * 1_000 },
  ];
  return {
    BeforeAgent: { hooks },
    AfterTool: { matcher: `^(${Object.keys(TOOLS).join("|")})$`, hooks },
  };
}
