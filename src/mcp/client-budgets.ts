/**
 * How much of an answer each client lets the model see. The figures below the limits leave room for the receipt.
 *
 * Measured in November 2026: Codex cuts in the middle at about 10,000 bytes, Gemini CLI at 40,000 characters, opencode at
 * 51 KB, Claude Code at 50,000 characters with a warning at 10,000 tokens. What a client does not show, it drops silently.
 */
import type { Budget } from "../memory/budget.ts";

/** Fits every client that was measured but the ones named below. */
const DEFAULT: Budget = { characters: 36_000, bytes: 45_000, tokens: 10_000 };

/** By a part of the name a client gives itself in `initialize`. */
const BY_CLIENT: readonly (readonly [RegExp, Budget])[] = [
  [/codex/i, { characters: 9_500, bytes: 9_500, tokens: 10_000 }],
];

/** The receipt that ends every answer: some words, figures and a path. */
const RECEIPT: Budget = { characters: 400, bytes: 600, tokens: 150 };

/**
 * What the text of an answer may hold, without its receipt.
 *
 * @param override bytes from SENTINEL_OUTPUT_BUDGET, which then count for every client.
 */
export function budgetFor(clientName: string | undefined, override?: number): Budget {
  const whole =
    override === undefined
      ? (BY_CLIENT.find(([name]) => name.test(clientName ?? ""))?.[1] ?? DEFAULT)
      : { characters: override, bytes: override, tokens: Math.ceil(override / 2) };
  return {
    characters: whole.characters - RECEIPT.characters,
    bytes: whole.bytes - RECEIPT.bytes,
    tokens: whole.tokens - RECEIPT.tokens,
  };
}
