/** The clients that `init` can set up. To add one, add a file, a line here (and in `hook-protocols.ts`) and a page. See test/policy/clients.test.ts. */
import { claudeCode } from "./claude-code.ts";
import type { Client } from "./client.ts";
import { codex } from "./codex.ts";
import { cursor } from "./cursor.ts";
import { gemini } from "./gemini.ts";
import { opencode } from "./opencode.ts";
import { vscode } from "./vscode.ts";

export const CLIENTS: readonly Client[] = [cursor, claudeCode, codex, vscode, gemini, opencode];

/** The suffix that a bridge to a remote server adds to the client's name. */
const BRIDGE = / \(via [^)]*\)$/;

/** Finds a client by the name it sends in `initialize`. Undefined if it isn't supported. */
export function clientNamed(name: string): Client | undefined {
  const ownName = name.replace(BRIDGE, "").trim();
  return CLIENTS.find((client) => client.clientName?.test(ownName));
}
