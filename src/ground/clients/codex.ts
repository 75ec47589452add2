/** Codex: its TOML configuration, the hooks used for the session log, and its result limit. */
import { claudeCodeProtocol, sessionHooks } from "./claude-code.ts";
import { type Client, type HookTable, SERVER_NAME } from "./client.ts";
import { type HookField, hookCall } from "./hook-call.ts";
import type { HookProtocol } from "./hook-event.ts";

const TOOL_FIELDS: readonly HookField[] = ["tool_name", "tool_input.command"];
/** The payload fields that each event sends to the server. No hook runs until the user trusts it, so the server's instructions contain the opening lessons. */
const FIELDS: Readonly<Record<string, readonly HookField[]>> = {
  UserPromptSubmit: ["prompt", "transcript_path"],
  PreToolUse: TOOL_FIELDS,
  PostToolUse: [...TOOL_FIELDS, "tool_response"],
  Stop: ["stop_hook_active", "transcript_path"],
};
const HOOKS = ".codex/hooks.json";
const MARK = { client: "codex" };

/** Codex uses Claude Code's protocol. We add a field that identifies the client. */
export const codexProtocol: HookProtocol = {
  ...claudeCodeProtocol,
  name: "Codex",
  sent: (payload) => payload.text("client") === MARK.client,
  startsCaptures: true,
  goesOnAtPrompt: HOOKS,
  instructions: "AGENTS.md",
};

export const codex: Client = {
  id: "codex",
  name: "Codex",
  clientName: /^codex(?:-mcp-client)?$/i,
  signs: [".codex"],
  server: {
    files: [".codex/config.toml"],
    format: "toml",
    key: "mcp_servers",
    entry: ({ here }) => here,
  },
  rules: "AGENTS.md",
  hooks: { path: HOOKS, table: codexHooks, protocol: codexProtocol, needsTrust: true },
  sessionHooks: {
    path: HOOKS,
    table: sessionHooks,
    clientFolder: "codex",
    asks: "in codex, look at the hooks with /hooks and trust them: it runs none before.",
  },
  // Codex cuts a long result in the middle.
  budget: { characters: 9_500, bytes: 9_500, tokens: 10_000 },
  asks: "start codex in the project, trust it, then trust the hooks with /hooks; until then it ignores them.",
};

function codexHooks(): HookTable {
  const entries = Object.entries(FIELDS);
  return Object.fromEntries(
    entries.map(([event, fields]) => [
      event,
      { hooks: [hookCall(SERVER_NAME, event, fields, MARK)] },
    ]),
  );
}
