/** The clients that `init` can set up, their names in events, and the largest answer for each. To add one, add a file, a line here (and in `hook-protocols.ts`) and a page. See test/policy/clients.test.ts. */

import type { Budget } from "../core/budget.ts";
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

/** Returns the agent name to store in events. @param clientName as sent in `initialize`. An unrecognized name is kept, trimmed to 60 characters. */
export function agentNamed(clientName = ""): string {
  const known = clientNamed(clientName);
  if (known) {
    return agentOf(known);
  }
  return clientName.trim().slice(0, LONGEST) || "agent";
}

/** Whether the agent is a custom agent loop, not one of the supported clients. @param agent as stored in events. */
export function isOwnLoop(agent: string): boolean {
  return !CLIENTS.some((client) => agentOf(client) === agent);
}

const LONGEST = 60;

const agentOf = ({ agent, id }: Client): string => agent ?? id;

/** Used for clients that set no budget. Clients silently drop the rest of a longer result, so answers end before their limit. It stays below Claude Code's 10,000-token warning, because token estimates can be a few percent low. */
const GENERAL: Budget = { characters: 36_000, bytes: 45_000, tokens: 9_700 };

/** Reserved for the receipt that ends every answer: a few words, numbers and a path. @internal */
export const RECEIPT: Budget = { characters: 400, bytes: 600, tokens: 150 };

/** Custom agent loops don't cut results and request the size they want. As JSON, with ids and provenance, the largest bundle takes three times its tokens. */
const OF_A_LOOP: Budget = { characters: 1_200_000, bytes: 2_400_000, tokens: 400_000 };

/** The budget for a bundle. Supported clients use the same budget as for other answers. Custom agent loops get a larger one. */
export function bundleBudgetFor(clientName = "", overrideBytes?: number): Budget {
  return overrideBytes === undefined && isOwnLoop(agentNamed(clientName))
    ? OF_A_LOOP
    : budgetFor(clientName, overrideBytes);
}

/** The budget for an answer, without its receipt. @param clientName as in `initialize`. @param overrideBytes from SENTINEL_OUTPUT_BUDGET, for every client. */
export function budgetFor(clientName = "", overrideBytes?: number): Budget {
  const known = clientNamed(clientName);
  const whole =
    overrideBytes === undefined
      ? (known?.budget ?? GENERAL)
      : { ...GENERAL, characters: overrideBytes, bytes: overrideBytes };
  return {
    characters: whole.characters - RECEIPT.characters,
    bytes: whole.bytes - RECEIPT.bytes,
    tokens: whole.tokens - RECEIPT.tokens,
  };
}
