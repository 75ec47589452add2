/** Collects commands that failed and then worked, for the reminder at a turn's end. They stay in the server's memory and must never reach a file. */

import { RecentCache } from "../../ground/core/memoize.ts";
import { startedCommands } from "../../ground/core/shell-commands.ts";
import { oneLine } from "../../ground/core/text.ts";

export interface SolvedFailure {
  /** A pattern of the command. */
  readonly command: string;
  /** The line with the error. */
  readonly line: string;
}

interface Failure extends SolvedFailure {
  readonly isSolved: boolean;
}

const MOST_SESSIONS = 20;
const MOST_FAILURES = 20;
const MOST_NAMED = 2;
const MOST_CHARACTERS = 120;
/** Commands that check, search or show files. They fail and work again all the time, which teaches nothing. */
const EVERYDAY =
  /\b(?:test|tests|jest|vitest|pytest|check|lint|eslint|biome|tsc|typecheck|build|grep|rg|find|ls|cat|cd|tail|head|echo|chmod|sleep)\b/;
/** Subcommands that are followed by the name of a script or a service. */
const RUNS = /^(?:run|run-script|exec|task|compose)$/;
const SAYS_ONLY_THE_STATUS = /^(?:Exit code \d+|Command failed.*)$/;
const TELLS =
  /error|\berr[_!]|fail|cannot|can't|unable|could not|no such|not found|denied|refused|invalid|unknown|unexpected|unrecognized|missing|fatal/i;

/** The failures of the sessions that one server sees. */
export class SolvedFailures {
  readonly #sessions = new RecentCache<readonly Failure[]>(MOST_SESSIONS);

  /** Call it before a command runs. If the command failed before, it now counts as solved unless it fails again. */
  runs(session: string, command: string): void {
    const names = namesOf(command);
    this.#change(session, (all) =>
      all.map((failure) =>
        names.includes(failure.command) ? { ...failure, isSolved: true } : failure,
      ),
    );
  }

  fails(session: string, command: string, output: string): void {
    const failed = failureIn(command, output);
    if (!failed) return;
    this.#change(session, (all) => [
      ...all.filter((failure) => failure.command !== failed.command).slice(-MOST_FAILURES),
      { ...failed, isSolved: false },
    ]);
  }

  of(session: string): readonly SolvedFailure[] {
    return (this.#sessions.get(session) ?? [])
      .filter(({ isSolved }) => isSolved)
      .slice(-MOST_NAMED);
  }

  #change(session: string, change: (all: readonly Failure[]) => readonly Failure[]): void {
    this.#sessions.set(session, change(this.#sessions.get(session) ?? []));
  }
}

/** The failure of a command. Undefined if its name or its output teaches nothing. */
export function failureIn(command: string, output: string): SolvedFailure | undefined {
  const [name = ""] = namesOf(command);
  const line = lineOf(output);
  return name === "" || line === "" ? undefined : { command: name, line };
}

/** Describes a solved failure in a sentence of the reminder. */
export function inWords({ command, line }: SolvedFailure): string {
  return `"${command}" failed with "${line}" and later worked. A lesson about it can have when "command: ${command}".`;
}

/** The commands of a shell line that may teach something, each as a pattern of a `when`. */
function namesOf(line: string): string[] {
  return startedCommands(line)
    .map((words) => oneLine(patternOf(words)))
    .filter((name) => name !== "" && name.length <= MOST_CHARACTERS && !EVERYDAY.test(name));
}

/** Cuts a command after its second name and replaces options before it by `*`: `npm run deploy`, `pnpm * deploy *`. Empty if that name contains spaces. */
function patternOf(words: readonly string[]): string {
  const parts = words.flatMap((word, at) => {
    if (word.startsWith("-")) return ["*"];
    return isValue(words, at) ? [] : [word];
  });
  const isName = (part: string, at: number) => part !== "*" && (at === 0 || !RUNS.test(part));
  const [first = 0, second = first] = parts.flatMap((part, at) => (isName(part, at) ? [at] : []));
  const named = parts
    .slice(0, second + 1)
    .filter((part, at) => part !== "*" || parts[at - 1] !== "*");
  if (named.some((part) => /\s/.test(part))) return "";
  if (named.includes("*")) named.push("*");
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
  return (lines.find((line) => TELLS.test(line)) ?? lines[0] ?? "").slice(0, MOST_CHARACTERS);
}
