/** Errors that lessons name between slashes, in the syntax of RE2. re2js is loaded by the first that needs it; a hook's process does without. */
import { SentinelError } from "../../ground/core/errors.ts";
import { remembering } from "../../ground/core/remembering.ts";
import type { OwnPattern } from "../../ground/redaction/own-words.ts";
import type { When } from "../format/when.ts";
import { type Matches, patternIn } from "./matches-when.ts";

type Compile = (source: string) => OwnPattern | string;

const MOST_COMPILED = 1_000;
let compile: Compile | undefined;

/** Tells whether a text holds what a pattern means, in any case; a pattern that cannot be used means nothing. */
export async function errorMatcher(): Promise<Matches> {
  const compile = await compiler();
  return (source, text) => {
    const pattern = compile(source);
    return typeof pattern !== "string" && pattern(text).length > 0;
  };
}

/** Refuses a pattern that cannot be used rather than never meeting it. @throws SentinelError `bad_text`. */
export async function mustHavePatterns({ errors = [] }: When = {}): Promise<void> {
  const sources = errors.flatMap((error) => patternIn(error) ?? []);
  if (sources.length === 0) return;
  const wrong = sources.map(await compiler()).find((pattern) => typeof pattern === "string");
  if (wrong === undefined) return;
  const fix =
    "Correct it (the syntax is that of RE2), or leave out the slashes to mean the text itself.";
  throw new SentinelError("bad_text", `An error of when is not a pattern: ${wrong}.`, fix);
}

async function compiler(): Promise<Compile> {
  const { ownPattern } = await import("../../ground/redaction/own-patterns.ts");
  compile ??= remembering((source) => ownPattern(`(?i)${source}`), MOST_COMPILED);
  return compile;
}
