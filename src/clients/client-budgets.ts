/**
 * How much of an answer each client lets the model see. What is beyond its cut a client drops in silence, so an answer ends
 * before it.
 */
import type { Budget } from "../core/budget.ts";

export interface ClientLimits {
  readonly client: string;
  /** Matches the name the client gives itself in `initialize`. */
  readonly name: RegExp;
  /** Where it cuts a tool's result; measured with the version named. */
  readonly cutsAt: Partial<Budget>;
  readonly measuredWith: string;
  readonly budget: Budget;
}

/** Fits every client that was measured, but for those with a budget of their own. */
const DEFAULT: Budget = { characters: 36_000, bytes: 45_000, tokens: 10_000 };

/** Measured in November 2026 by running each client against a server that answers with texts of known length. */
export const CLIENT_LIMITS: readonly ClientLimits[] = [
  {
    client: "Claude Code",
    name: /claude/i,
    cutsAt: { characters: 50_000, tokens: 10_000 },
    measuredWith: "2.1; longer results go to a file, and from 10,000 tokens on it warns",
    budget: DEFAULT,
  },
  {
    client: "Codex",
    name: /codex/i,
    cutsAt: { bytes: 10_000 },
    measuredWith: "0.169; cuts in the middle, at 10,000 bytes or some more",
    budget: { characters: 9_500, bytes: 9_500, tokens: 10_000 },
  },
  {
    client: "Gemini CLI",
    name: /gemini/i,
    cutsAt: { characters: 40_000 },
    measuredWith: "0.61; shows the first 8,000 and the last 32,000 characters",
    budget: DEFAULT,
  },
  { client: "opencode", name: /opencode/i, cutsAt: { bytes: 51_000 }, measuredWith: "1.18", budget: DEFAULT },
];

/** The receipt that ends every answer: some words, figures and a path. */
const RECEIPT: Budget = { characters: 400, bytes: 600, tokens: 150 };

/**
 * What the text of an answer may hold, without its receipt.
 *
 * @param override bytes from SENTINEL_OUTPUT_BUDGET, which then count for every client.
 */
export function budgetFor(clientName: string | undefined, override?: number): Budget {
  const known = CLIENT_LIMITS.find(({ name }) => name.test(clientName ?? ""));
  const whole =
    override === undefined ? (known?.budget ?? DEFAULT) : { ...DEFAULT, characters: override, bytes: override };
  return {
    characters: whole.characters - RECEIPT.characters,
    bytes: whole.bytes - RECEIPT.bytes,
    tokens: whole.tokens - RECEIPT.tokens,
  };
}
