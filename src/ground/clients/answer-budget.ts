/** The largest answer for each client. Clients silently drop the rest of a longer result, so answers end before their limit. */
import type { Budget } from "../core/budget.ts";
import { agentNamed, isOwnLoop } from "./agent-name.ts";
import { clientNamed } from "./clients.ts";

/** Used for clients that set no budget. It stays below Claude Code's 10,000-token warning, because token estimates can be a few percent low. */
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
      ? (known?.answers?.budget ?? GENERAL)
      : { ...GENERAL, characters: overrideBytes, bytes: overrideBytes };
  return {
    characters: whole.characters - RECEIPT.characters,
    bytes: whole.bytes - RECEIPT.bytes,
    tokens: whole.tokens - RECEIPT.tokens,
  };
}
