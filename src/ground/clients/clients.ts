/** The clients, as `init` sets them up. A new one is a file, a line here (and in `hook-protocols.ts`) and a page; see test/policy/clients.test.ts. */
import { claudeCode } from "./claude-code.ts";
import type { Client } from "./client.ts";
import { codex } from "./codex.ts";
import { cursor } from "./cursor.ts";
import { gemini } from "./gemini.ts";
import { opencode } from "./opencode.ts";
import { vscode } from "./vscode.ts";

export const CLIENTS: readonly Client[] = [cursor, claudeCode, codex, vscode, gemini, opencode];

/** What a bridge to a server on the network adds to the name of its client. */
const BRIDGE = / \(via [^)]*\)$/;

/** The client that has this name in `initialize`; undefined for one that is not in the list. */
export function clientNamed(name: string): Client | undefined {
  const ownName = name.replace(BRIDGE, "").trim();
  return CLIENTS.find((client) => client.clientName?.test(ownName));
}
