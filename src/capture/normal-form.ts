/**
 * When are two calls the same work? Agents edit a command before they run it again: other flags, another pipe behind it. So a
 * failure is settled by a later success of the same program on the same targets.
 */
import type { ToolCall, ToolTarget } from "../clients/transcript.ts";

const HERE_DOCUMENT = /<<-?\s*(['"]?)(\w+)\1[\s\S]*?\n\s*\2\b/g;
/** Quoted texts and command substitutions are messages and values, not targets. */
const QUOTED = /"\$\([\s\S]*?\)"|"(?:\\.|[^"\\])*"|'[^']*'/g;
const SEPARATOR = /&&|\|\||[;\n]/;
const PASSING = /^(?:cd|pushd|export|set|source|\.|echo|sleep|true)$/;
const RUNNERS = /^(?:npx|bunx|pnpx|sudo|time|env|command|exec|rtk|nice|timeout)$/;
const ASSIGNMENT = /^\w+=/;
const MOST_WORDS = 6;

/** A text that is the same for calls that do the same; undefined where nothing says so. */
export function normalForm({ tool }: ToolCall, { command, path }: ToolTarget): string | undefined {
  if (command === undefined) return path === undefined ? undefined : `${tool} ${path}`;
  const main = command
    .replace(HERE_DOCUMENT, " ")
    .replace(QUOTED, " ")
    .split(SEPARATOR)
    .map(wordsOf)
    .filter(doesWork)
    .at(-1);
  return main && main.length > 0 ? main.slice(0, MOST_WORDS).join(" ") : undefined;
}

/** The words that say what a command does to what: no flags, no redirections, nothing behind a pipe. */
function wordsOf(command: string): string[] {
  const words = (command.split("|", 1)[0] ?? "").replace(/\d?>{1,2}\s*(?:&\d|\S+)/g, " ").split(/\s+/);
  const said = words.filter((word) => word !== "" && !word.startsWith("-"));
  const start = said.findIndex((word) => !ASSIGNMENT.test(word) && !RUNNERS.test(word));
  return start < 0 ? [] : said.slice(start).map((word) => word.replace(/\/+$/, ""));
}

function doesWork([program]: readonly string[]): boolean {
  return program !== undefined && !PASSING.test(program);
}
