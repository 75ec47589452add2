/** Gemini CLI: its configuration, its rules, and where it cuts an answer. */
import type { Client } from "./client.ts";

export const gemini: Client = {
  id: "gemini",
  name: "Gemini CLI",
  clientName: /gemini/i,
  page: "docs/gemini-cli.md",
  signs: [".gemini", "GEMINI.md"],
  server: {
    files: [".gemini/settings.json"],
    format: "json",
    key: "mcpServers",
    entry: ({ here: { command, args } }) => ({ command, args }),
  },
  rules: [{ path: "GEMINI.md" }],
  // It shows the first 8,000 and the last 32,000 characters of a longer result.
  answers: { cutsAt: { characters: 40_000 } },
  asks: "start gemini in the project's folder and trust that folder.",
};
