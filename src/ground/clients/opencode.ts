/** opencode: its configuration, which spells an entry its own way, the plugin that only the session log needs, and where it cuts an answer. */
import type { Client } from "./client.ts";
import { opencodePlugin } from "./opencode-plugin.ts";

export const opencode: Client = {
  id: "opencode",
  name: "opencode",
  clientName: /opencode/i,
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
  sessionHooks: {
    path: ".opencode/plugins/sentinel-memory-record.js",
    plugin: opencodePlugin,
    signs: [".config/opencode", ".local/share/opencode"],
  },
  answers: { cutsAt: { bytes: 51_000 } },
  asks: "nothing; start opencode in the project.",
};
