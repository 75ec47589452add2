/** Commands that failed and that a lesson may be about. The hooks' state keeps the last one, until it's logged. */
import { startedCommands } from "../../ground/core/shell-commands.ts";
import { oneLine, stablePart } from "../../ground/core/text.ts";
import type { OwnWords } from "../../ground/redaction/own-words.ts";
import { hidePrivate } from "../../ground/redaction/private.ts";
import { redact } from "../../ground/redaction/redact.ts";
import type { FailedCommand, Session } from "./session-file.ts";

const MOST_CHARACTERS = 120;
/** A longer line of an error isn't kept. It would have to be searched for secrets as a whole. */
const LONGEST_LINE = 2_000;
/** Commands that check, search or show files. They fail and work again all the time, which teaches nothing. */
const EVERYDAY =
  /\b(?:test|tests|jest|vitest|pytest|check|lint|eslint|biome|tsc|typecheck|build|grep|rg|find|ls|cat|cd|tail|head|echo|chmod|sleep)\b/;
/** Subcommands that are followed by the name of a script or a service. */
const RUNS = /^(?:run|run-script|exec|task|compose)$/;
const SAYS_ONLY_THE_STATUS = /^(?:Exit code \d+|Command failed.*)$/;
const TELLS =
  /error|\berr[_!]|fail|cannot|can't|unable|could not|no such|not found|denied|refused|invalid|unknown|unexpected|unrecognized|missing|fatal/i;

/** The pattern of a failed command and the stable part of its error. Leaves out a part with a secret, an own word or a private passage. Undefined if nothing teaches anything. */
export function failedCommand(
  command: string,
  output: string,
  words: OwnWords,
): FailedCommand | undefined {
  const [pattern = ""] = patternsOf(command);
  const line = lineOf(output);
  if (pattern === "" || line === "") {
    return undefined;
  }
  const isHarmless = (text: string) => {
    const { text: shown, unclosed } = hidePrivate(text);
    const isOpen = unclosed !== undefined;
    return text !== "" && !isOpen && words.redact(redact(shown).text).text === text;
  };
  const stable = stablePart(oneLine(line));
  const hasPassages = hidePrivate(output, "hides the rest").count > 0;
  // The whole line is judged, because the beginning of a secret isn't recognized.
  const maySay =
    !hasPassages && line.length <= LONGEST_LINE && isHarmless(line) && isHarmless(stable);
  const failed = {
    command: isHarmless(pattern) ? pattern : undefined,
    error: maySay ? stable.slice(0, MOST_CHARACTERS) : undefined,
  };
  return failed.command === undefined && failed.error === undefined ? undefined : failed;
}

/** Call it before a command runs. If it's the one that failed, it counts as solved unless it fails again. */
export function withRun(session: Session, command: string): Session {
  const { failed } = session;
  if (!failed?.command || failed.isSolved) {
    return session;
  }
  const isAgain = patternsOf(command).includes(failed.command);
  return isAgain ? { ...session, failed: { ...failed, isSolved: true } } : session;
}

/** Describes a solved failure in a sentence of the reminder. Empty without one. */
export function solvedText({ failed }: Session): string {
  if (!failed?.isSolved) {
    return "";
  }
  const { command, error } = failed;
  const how = error === undefined ? "" : ` with "${error}"`;
  return `"${command}" failed${how} and later worked. A lesson about it can have when "command: ${command}".`;
}

/** The commands of a shell line that may teach something, each as a pattern of a `when`. */
function patternsOf(line: string): string[] {
  return startedCommands(line)
    .map((words) => oneLine(patternOf(words)))
    .filter((name) => name !== "" && name.length <= MOST_CHARACTERS && !EVERYDAY.test(name));
}

/** Cuts a command after its second name and replaces options before it by `*`: `npm run deploy`, `pnpm * deploy *`. Empty if that name contains spaces. */
function patternOf(words: readonly string[]): string {
  const parts = words.flatMap((word, at) => {
    if (word.startsWith("-")) {
      return ["*"];
    }
    return isValue(words, at) ? [] : [word];
  });
  const isName = (part: string, at: number) => part !== "*" && (at === 0 || !RUNS.test(part));
  const [first = 0, second = first] = parts.flatMap((part, at) => (isName(part, at) ? [at] : []));
  const named = parts
    .slice(0, second + 1)
    .filter((part, at) => part !== "*" || parts[at - 1] !== "*");
  if (named.some((part) => /\s/.test(part))) {
    return "";
  }
  if (named.includes("*")) {
    named.push("*");
  }
  return named.join(" ");
}

/** Whether a word may be the value of the option before it. The last word of a command is more likely a name. */
function isValue(words: readonly string[], at: number): boolean {
  const [before = "", , after = "-"] = words.slice(at - 1, at + 2);
  return at > 0 && /^-[^=]*$/.test(before) && !after.startsWith("-");
}

function lineOf(output: string): string {
  const lines = output
    .split("\n")
    .map((line) => oneLine(line).trim())
    .filter((line) => line !== "" && !SAYS_ONLY_THE_STATUS.test(line));
  return lines.find((line) => TELLS.test(line)) ?? lines[0] ?? "";
}
