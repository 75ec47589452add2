/** How many tokens a text costs a model, estimated without loading a vocabulary. */

import { estimateTokenCount } from "tokenx";

/** About how many tokens of the o200k vocabulary a text takes. */
export function estimateTokens(text: string): number {
  return estimateTokenCount(text);
}
