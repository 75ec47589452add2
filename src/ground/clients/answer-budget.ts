/** How much an answer may hold for each client. A client drops what is beyond its cut without a word, so an answer ends before it. */
import type { Budget } from "../core/budget.ts";
import { agentNamed, isOwnLoop } from "./agent-name.ts";
import { clientNamed } from "./clients.ts";

/** Fits every client without a budget of its own; Claude Code warns at 10,000 tokens, and estimates may be some percent short. */
const GENERAL: Budget = { characters: 36_000, bytes: 45_000, tokens: 9_700 };

/** The receipt that ends every answer: some words, figures and a path. @internal */
export const RECEIPT: Budget = { characters: 400, bytes: 600, tokens: 150 };

/** A loop of one's own cuts nothing, and says how much it wants: as JSON the largest bundle takes three times its tokens, with ids and provenance. */
const OF_A_LOOP: Budget = { characters: 1_200_000, bytes: 2_400_000, tokens: 400_000 };

/** The room of a bundle; a client that shows answers has the same room for it as for any. */
export function bundleBudgetFor(clientName = "", overrideBytes?: number): Budget {
  return overrideBytes === undefined && isOwnLoop(agentNamed(clientName))
    ? OF_A_LOOP
    : budgetFor(clientName, overrideBytes);
}

/** In bytes, without the receipt. @param clientName as in `initialize`. @param overrideBytes from SENTINEL_OUTPUT_BUDGET, for every client. */
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
