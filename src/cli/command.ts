import type { Command } from "commander";
import type { EventStore } from "../events/store.ts";
import type { LessonStore } from "../lessons/store.ts";
import type { Project } from "../project/find-project.ts";
import type { Terminal } from "./terminal/terminal.ts";

/** What a command has that needs no project. */
export interface Surroundings {
  readonly terminal: Terminal;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Where the person who reads the output types the next command. */
  readonly cwd: string;
  /** The file that Node was started with. */
  readonly script: string;
  /** The folder of the built programs. */
  readonly programs: string;
  /** Opens the events of a record. @param folder the record's. */
  readonly openEvents: (folder: string) => EventStore;
}

/** What a command works with. */
export interface CommandContext extends Surroundings {
  readonly project: Project;
  readonly store: LessonStore;
}

/**
 * Adds a command to the program.
 *
 * @param open finds the project once the command runs; throws a SentinelError `no_project` when there is none.
 * @param here for a command that runs without a project too.
 */
export type AddCommand = (program: Command, open: () => CommandContext, here: Surroundings) => void;
