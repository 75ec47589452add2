/** Matches errors that lessons give as a pattern between slashes, in the syntax of RE2. */
import { SentinelError } from "../../ground/core/errors.ts";
import { memoize } from "../../ground/core/memoize.ts";
import { ownPattern } from "../../ground/redaction/own-patterns.ts";
import type { When } from "../format/when.ts";

const BETWEEN_SLASHES = /^\/(.+)\/$/s;
const MOST_COMPILED = 1_000;
const compiled = memoize((source: string) => ownPattern(`(?i)${source}`), MOST_COMPILED);

/** The pattern between the slashes of an error. Undefined for a plain text. */
export const patternIn = (error: string): string | undefined => BETWEEN_SLASHES.exec(error)?.[1];

/** Whether a pattern matches a text, in any case. An invalid pattern never matches. */
export function matchesPattern(source: string, text: string): boolean {
  const pattern = compiled(source);
  return typeof pattern !== "string" && pattern(text).length > 0;
}

/** Refuses an invalid pattern, because it would never match. @throws SentinelError `bad_text`. */
export function mustHavePatterns({ errors = [] }: When = {}): void {
  const sources = errors.flatMap((error) => patternIn(error) ?? []);
  const wrong = sources.map(compiled).find((pattern) => typeof pattern === "string");
  if (wrong === undefined) {
    return;
  }
  const fix =
    "Correct it (the syntax is that of RE2), or leave out the slashes to mean the text itself.";
  throw new SentinelError("bad_text", `An error of when is not a pattern: ${wrong}.`, fix);
}
