/** What only tests compare with the list of clients, by the client's id. `docs/agents.md` has the same limits. */
import type { Budget } from "../../src/ground/core/budget.ts";

/** The size at which a client cuts a tool's result. Answers end before that. */
export const CUTS_AT: Readonly<Record<string, Partial<Budget>>> = {
  cursor: { bytes: 40_000 },
  // It warns at 10,000 tokens, and writes more than 50,000 characters to a file of which it shows the beginning.
  claude: { characters: 50_000, tokens: 10_000 },
  codex: { bytes: 10_000 },
  vscode: { characters: 8_192 },
  // It shows the first 8,000 and the last 32,000 characters.
  gemini: { characters: 40_000 },
  opencode: { bytes: 51_000 },
};

/** The path of the client's page. */
export const CLIENT_PAGES: Readonly<Record<string, string>> = {
  cursor: "docs/cursor.md",
  claude: "docs/claude-code.md",
  codex: "docs/codex.md",
  vscode: "docs/vscode.md",
  gemini: "docs/gemini-cli.md",
  opencode: "docs/opencode.md",
};
