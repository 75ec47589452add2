import type { Client } from "./client.ts";

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
  // It writes a longer result to a file, which the model has to read in a second call.
  answers: {
    cutsAt: { characters: 8_192 },
    budget: { characters: 8_000, bytes: 24_000, tokens: 9_700 },
  },
  asks: "open .vscode/mcp.json and choose Start above the entry.",
};
