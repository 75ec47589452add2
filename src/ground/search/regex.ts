/** Regular expressions that people write, in the syntax of RE2, so that none can take exponential time. Loads re2js. */
import { RE2JS, RE2JSException } from "re2js";

const MOST_KEPT = 100;
const compiled = new Map<string, RE2JS | undefined>();

/** Whether a text holds what an expression means, in any case; one that cannot be read matches nothing. */
export function matchesRegex(source: string, text: string): boolean {
  if (!compiled.has(source)) {
    if (compiled.size >= MOST_KEPT) compiled.clear();
    compiled.set(source, compile(source));
  }
  return compiled.get(source)?.matcher(text).find() ?? false;
}

function compile(source: string): RE2JS | undefined {
  try {
    return RE2JS.compile(source, RE2JS.CASE_INSENSITIVE);
  } catch (error) {
    if (error instanceof RE2JSException) return undefined;
    throw error;
  }
}
