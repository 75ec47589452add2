import type { Client } from "./client.ts";

export const vscode: Client = {
  id: "vscode",
  name: "VS Code",
  clientName: /^(?:visual studio code(?: - insiders)?|vs ?code)$/i,
  page: "docs/vscode.md",
  signs: [".vscode/mcp.json", ".github/copilot-instructions.md"],
  server: {
    files: [".vscode/mcp.json"],
    format: "json",
    key: "servers",
    entry: ({ fromWorkspace: { command, args } }) => ({ type: "stdio", command, args }),
  },
  rules: [{ path: "AGENTS.md" }],
  asks: "open .vscode/mcp.json and choose Start above the entry.",
};
