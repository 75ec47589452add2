/** What `init` knows about each agent: one row a client. Measured where the client could be run; docs/ says with what. */
import { claudeHooks, cursorHooks, type HookTable } from "./hooks.ts";
import type { Launch, Launches } from "./launch.ts";

export const SERVER_NAME = "sentinel-memory";

export interface Client {
  readonly id: string;
  readonly name: string;
  /** Files and folders of a project that show that it is in use. */
  readonly signs: readonly string[];
  /** Where a project's servers are listed; the first that exists counts, else the first. */
  readonly config: readonly [string, ...string[]];
  /** Under which key. */
  readonly key: string;
  readonly entry: (launches: Launches) => Entry;
  /** As version 0.1.0 spelt it: it counts as ours, and init brings it up to date. */
  readonly earlierEntry?: (launches: Launches) => Entry;
  /** What the client itself would put into a configuration that holds nothing else. */
  readonly frame?: Readonly<Record<string, string>>;
  /** The files with rules that it reads. */
  readonly rules: readonly string[];
  readonly hooks?: HookFile;
  /** The one thing that only its user can do. */
  readonly asks: string;
}

/** As the client wants it spelt, for JSON and TOML alike. */
export type Entry = Readonly<Record<string, string | readonly string[]>>;

interface HookFile {
  readonly path: string;
  readonly table: (command: string) => HookTable;
  /** What the file must hold besides. */
  readonly frame: Readonly<Record<string, number>>;
}

export const CLIENTS: readonly Client[] = [
  {
    id: "cursor",
    name: "Cursor",
    signs: [".cursor", ".cursorrules"],
    config: [".cursor/mcp.json"],
    key: "mcpServers",
    // Cursor starts servers in the home folder, ignores cwd, and expands the argument. Hosts that read its file and pass
    // the argument on as it stands start the server where cwd says; one that honours a cwd may not expand it.
    entry: ({ inWorkspace }) => ({ ...program(inWorkspace), cwd: "." }),
    earlierEntry: ({ inWorkspace }) => ({ ...program(inWorkspace), cwd: "${workspaceFolder}" }),
    rules: [".cursorrules", ".cursor/rules/sentinel-memory.mdc"],
    hooks: { path: ".cursor/hooks.json", table: cursorHooks, frame: { version: 1 } },
    asks: "open Settings, MCP (newer versions: Customize, MCPs), and switch sentinel-memory on.",
  },
  {
    id: "claude",
    name: "Claude Code",
    signs: [".claude", "CLAUDE.md", ".mcp.json"],
    config: [".mcp.json"],
    key: "mcpServers",
    entry: ({ here }) => program(here),
    rules: ["CLAUDE.md"],
    hooks: { path: ".claude/settings.json", table: claudeHooks, frame: {} },
    asks: "start claude in the project and approve the server; every user does so once.",
  },
  {
    id: "codex",
    name: "Codex",
    signs: [".codex"],
    config: [".codex/config.toml"],
    key: "mcp_servers",
    entry: ({ here }) => program(here),
    rules: ["AGENTS.md"],
    asks: "start codex in the project and trust it; until then it ignores the project's configuration.",
  },
  {
    id: "vscode",
    name: "VS Code",
    signs: [".vscode/mcp.json", ".github/copilot-instructions.md"],
    config: [".vscode/mcp.json"],
    key: "servers",
    entry: ({ inWorkspace }) => ({ type: "stdio", ...program(inWorkspace) }),
    rules: ["AGENTS.md"],
    asks: "open .vscode/mcp.json and choose Start above the entry.",
  },
  {
    id: "gemini",
    name: "Gemini CLI",
    signs: [".gemini", "GEMINI.md"],
    config: [".gemini/settings.json"],
    key: "mcpServers",
    entry: ({ here }) => program(here),
    rules: ["GEMINI.md"],
    asks: "start gemini in the project's folder and trust that folder.",
  },
  {
    id: "opencode",
    name: "opencode",
    signs: ["opencode.json", "opencode.jsonc", ".opencode"],
    config: ["opencode.json", "opencode.jsonc"],
    key: "mcp",
    entry: ({ here }) => ({ type: "local", command: [here.command, ...here.args] }),
    frame: { $schema: "https://opencode.ai/config.json" },
    rules: ["AGENTS.md"],
    asks: "nothing; start opencode in the project.",
  },
];

function program({ command, args }: Launch): { command: string; args: readonly string[] } {
  return { command, args };
}
