/**
 * The clients, in the order in which `init` sets them up. A new client is a file beside this one, a line here, and a page in
 * `docs/`; one with hooks has a line in `hook-protocols.ts` too. `test/policy/clients.test.ts` says what every client must do.
 */
import { claudeCode } from "./claude-code.ts";
import type { Client } from "./client.ts";
import { codex } from "./codex.ts";
import { cursor } from "./cursor.ts";
import { gemini } from "./gemini.ts";
import { opencode } from "./opencode.ts";
import { vscode } from "./vscode.ts";

export const CLIENTS: readonly Client[] = [cursor, claudeCode, codex, vscode, gemini, opencode];
