/** Errors between slashes are patterns; one that cannot be used is refused rather than never met. */
import { SentinelError } from "../../ground/core/errors.ts";
import type { When } from "../format/when.ts";
import { wrongPattern } from "../queries/error-pattern.ts";

/** @throws SentinelError `bad_text`. */
export async function mustHavePatterns(when: When | undefined): Promise<void> {
  const wrong = when && (await wrongPattern(when));
  if (wrong === undefined) return;
  const fix = "Correct it (the syntax is that of RE2), or leave out the slashes to mean the text itself.";
  throw new SentinelError("bad_text", `An error of when is not a pattern: ${wrong}.`, fix);
}
