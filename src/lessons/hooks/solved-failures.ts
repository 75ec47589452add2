/** Commands that failed and then worked, for the reminder at a turn's end. In the server's memory alone: none may reach a file. */

import { Lately } from "../../ground/core/lately.ts";
import { simpleCommands } from "../../ground/core/shell-commands.ts";
import { oneLine } from "../../ground/core/text.ts";

export interface SolvedFailure {
  /** The first words of the command. */
  readonly command: string;
  /** The line that tells the error. */
  readonly line: string;
}

interface Failure extends SolvedFailure {
  readonly isSolved: boolean;
}

const MOST_SESSIONS = 20;
const MOST_FAILURES = 20;
const MOST_NAMED = 2;
const MOST_CHARACTERS = 120;
/** Checks, searches and looking around fail and are solved all the time, which teaches nothing. */
const EVERYDAY =
  /\b(?:test|tests|jest|vitest|pytest|check|lint|eslint|biome|tsc|typecheck|build|grep|rg|find|ls|cat|cd|tail|head|echo|chmod|sleep)\b/;
const SAYS_ONLY_THE_STATUS = /^(?:Exit code \d+|Command failed.*)$/;
const TELLS =
  /error|\berr[_!]|fail|cannot|can't|unable|could not|no such|not found|denied|refused|invalid|unknown|unexpected|unrecognized|missing|fatal/i;

/** The failures of the sessions that one server sees. */
export class SolvedFailures {
  readonly #sessions = new Lately<readonly Failure[]>(MOST_SESSIONS);

  /** A command is about to run: one that failed before counts as solved unless it fails again. */
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

/** The failure of a command; undefined if its name or its output teaches nothing. */
export function failureIn(command: string, output: string): SolvedFailure | undefined {
  const [name = ""] = namesOf(command);
  const line = lineOf(output);
  return name === "" || line === "" ? undefined : { command: name, line };
}

/** One of them, in a sentence of the reminder. */
export function inWords({ command, line }: SolvedFailure): string {
  return `"${command}" failed with "${line}" and later worked. A lesson about it can have when "command: ${command}".`;
}

/** The commands of a shell line that may teach something, by two words each, which tell a command from others of its program. */
function namesOf(line: string): string[] {
  const names = simpleCommands(line).map((words) =>
    words.filter((word) => !word.startsWith("-")).slice(0, 2),
  );
  return names
    .map((words) => oneLine(words.join(" ")).slice(0, MOST_CHARACTERS))
    .filter((name) => name !== "" && !EVERYDAY.test(name));
}

function lineOf(output: string): string {
  const lines = output
    .split("\n")
    .map((line) => oneLine(line).trim())
    .filter((line) => line !== "" && !SAYS_ONLY_THE_STATUS.test(line));
  return (lines.find((line) => TELLS.test(line)) ?? lines[0] ?? "").slice(0, MOST_CHARACTERS);
}
