/**
 * When are two calls the same work? Agents edit a command before they run it again: other flags, another pipe behind it. So a
 * failure is settled by a later success of the same program on the same targets.
 */
import { commandParts } from "../kinds/texts/command-lines.ts";
import type { ToolCall, ToolTarget } from "../transcripts/transcript.ts";

const MOST_WORDS = 6;

/** A text that is the same for calls that do the same; undefined where nothing says so. */
export function normalForm({ tool }: ToolCall, { command, path }: ToolTarget): string | undefined {
  if (command === undefined) return path === undefined ? undefined : `${tool} ${path}`;
  return commandParts(command).at(-1)?.slice(0, MOST_WORDS).join(" ");
}
