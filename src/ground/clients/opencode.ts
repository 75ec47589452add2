/** opencode: its configuration, which has a different entry format, its plugins and its result limit. */
import { claudeCodeProtocol, readFields } from "./claude-code.ts";
import type { Client } from "./client.ts";
import type { EventKind, HookProtocol } from "./hook-event.ts";
import { AFTER_TOOL, lessonsPlugin, opencodePlugin } from "./opencode-plugin.ts";

const TOOLS: Readonly<Record<string, EventKind>> = {
  bash: "result",
  read: "read",
  write: "edit",
  edit: "edit",
};

/** Our plugin builds this payload from opencode's event. */
export const opencodeProtocol: HookProtocol = {
  ...claudeCodeProtocol,
  name: "opencode",
  events: [AFTER_TOOL],
  sent: (payload) => payload.text("hook_event_name") === AFTER_TOOL,
  read: (payload) => {
    const kind = TOOLS[payload.text("tool_name")];
    return kind && readFields(payload, AFTER_TOOL, kind);
  },
  hold: undefined,
};

export const opencode: Client = {
  id: "opencode",
  name: "opencode",
  clientName: /^opencode$/i,
  page: "docs/opencode.md",
  signs: ["opencode.json", "opencode.jsonc", ".opencode"],
  server: {
    files: ["opencode.json", "opencode.jsonc"],
    format: "json",
    key: "mcp",
    entry: ({ here }) => ({ type: "local", command: [here.command, ...here.args] }),
    frame: { $schema: "https://opencode.ai/config.json" },
  },
  rules: [{ path: "AGENTS.md" }],
  hooks: {
    path: ".opencode/plugins/sentinel-memory.js",
    plugin: (command) => lessonsPlugin(command, Object.keys(TOOLS)),
    protocol: opencodeProtocol,
    needsTrust: true,
  },
  sessionHooks: {
    path: ".opencode/plugins/sentinel-memory-record.js",
    plugin: opencodePlugin,
    signs: [".config/opencode", ".local/share/opencode"],
  },
  answers: { cutsAt: { bytes: 51_000 } },
  asks: "nothing; start opencode in the project.",
};
