/**
 * Errors that lessons name between slashes, in the syntax of RE2. re2js is loaded with this file, by a server and by a save of such a
 * lesson; a hook's process does without.
 */
import { ownPattern } from "../../ground/redaction/own-patterns.ts";
import type { When } from "../format/when.ts";
import { type Matches, patternIn } from "./matches-when.ts";

const compiled = new Map<string, ReturnType<typeof ownPattern>>();
const MOST_COMPILED = 1_000;

/**
 * Whether a text holds what a pattern means, in any case; a pattern that cannot be used means nothing.
 */
export const matchesPattern: Matches = (source, text) => {
  const pattern = compile(source);
  return typeof pattern !== "string" && pattern(text).length > 0;
};

/** In a few words why an error of a `when` cannot be used; undefined when all can. */
export function wrongPattern({ errors = [] }: When): string | undefined {
  const patterns = errors.flatMap((error) => patternIn(error) ?? []).map(compile);
  return patterns.find((pattern) => typeof pattern === "string");
}

function compile(source: string): ReturnType<typeof ownPattern> {
  const pattern = compiled.get(source) ?? ownPattern(`(?i)${source}`);
  if (compiled.size >= MOST_COMPILED) compiled.clear();
  compiled.set(source, pattern);
  return pattern;
}
