/** Codex: its configuration in TOML, the hooks that only the session log needs, and where it cuts an answer. */
import { sessionHooks } from "./claude-code.ts";
import type { Client } from "./client.ts";

export const codex: Client = {
  id: "codex",
  name: "Codex",
  clientName: /codex/i,
  page: "docs/codex.md",
  signs: [".codex"],
  server: {
    files: [".codex/config.toml"],
    format: "toml",
    key: "mcp_servers",
    entry: ({ here: { command, args } }) => ({ command, args }),
  },
  rules: [{ path: "AGENTS.md" }],
  sessionHooks: {
    path: ".codex/hooks.json",
    table: sessionHooks,
    clientFolder: "codex",
    asks: "in codex, look at the hooks with /hooks and trust them: it runs none before.",
  },
  // It cuts in the middle.
  answers: {
    cutsAt: { bytes: 10_000 },
    budget: { characters: 9_500, bytes: 9_500, tokens: 10_000 },
  },
  asks: "start codex in the project and trust it; until then it ignores the project's configuration.",
};
