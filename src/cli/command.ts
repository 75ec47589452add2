/** What a command is: a function that adds itself to the program, and what it gets to work with. */
import type { Command } from "commander";
import type { EventStore } from "../events/store.ts";
import type { LessonStore } from "../lessons/store.ts";
import type { Project } from "../project/find-project.ts";
import type { ReadPrivacy } from "../project/privacy.ts";
import type { OwnWords } from "../redaction/own-words.ts";
import type { DaemonCommands } from "./daemon-commands.ts";
import type { Terminal } from "./terminal/terminal.ts";

/** What a command has that needs no project. */
export interface Surroundings {
  readonly terminal: Terminal;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Where the person who reads the output types the next command. */
  readonly cwd: string;
  /** The folder of the build that runs. */
  readonly build: string;
  /** The commands in a text as this person can type them. */
  readonly spelt: (text: string) => string;
  /** Opens the events of a record. @param folder the record's. @param words what is never stored, where events are appended. */
  readonly openEvents: (folder: string, words?: OwnWords) => EventStore;
  /** Its bundle is loaded for the commands that need it. */
  readonly loadDaemon: () => Promise<DaemonCommands>;
}

/** What a command works with. */
export interface CommandContext extends Surroundings {
  readonly project: Project;
  readonly lessons: LessonStore;
  /** What must not be stored, read now. */
  readonly readPrivacy: ReadPrivacy;
}

/**
 * Adds a command to the program.
 *
 * @param open finds the project once the command runs; throws a SentinelError `no_project` when there is none.
 * @param here for a command that runs without a project too.
 */
export type AddCommand = (program: Command, open: () => CommandContext, here: Surroundings) => void;
