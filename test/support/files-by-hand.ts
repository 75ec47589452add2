/** Files of agents as they stand there before init, in the spelling of different hands. */
export const BY_HAND = {
  ".mcp.json":
    '{\n\t// the wiki\n\t"mcpServers": {\n\t\t"docs": { "command": "docs" } // ask Kim\n\t}\n}\n',
  ".claude/settings.json":
    '{\n  "permissions": { "allow": ["Bash(ls)"] },\n  "hooks": {\n    "Stop": [\n      { "hooks": [{ "type": "command", "command": "say done" }] }\n    ]\n  }\n}\n',
  ".codex/config.toml":
    '# mind the order\nmodel = "gpt-5" # cheap\n\n[mcp_servers.docs]\ncommand = "docs"\n',
  ".gemini/settings.json": '{"theme":"dark"}',
  ".cursor/mcp.json": '{\r\n    "mcpServers": {}\r\n}\r\n',
  "opencode.jsonc": "{\n  // nothing yet\n}\n",
  "CLAUDE.md": "# Ours\n\n$& stays, and so does $1.\n",
};
