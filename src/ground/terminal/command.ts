/** The type of a command, which is a function that adds itself to the program, the context it runs in, and helpers that several commands share. */
import { type Command, InvalidArgumentError } from "commander";
import type { Project } from "../project/find-project.ts";
import type { ReadPrivacy } from "../project/privacy.ts";
import type { Spell } from "./shell.ts";
import type { Terminal } from "./terminal.ts";

/** The context of a command that needs no project. */
export interface Surroundings {
  readonly terminal: Terminal;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The folder in which the user types the next command. */
  readonly cwd: string;
  readonly build: string;
  /** Writes our commands in a text as this user can run them. */
  readonly spelt: Spell;
}

/** The context of a command for a project. */
export interface ProjectSurroundings extends Surroundings {
  readonly project: Project;
  readonly readPrivacy: ReadPrivacy;
}

/** Adds a command. @param open finds the project when the command runs, or throws `no_project`. @param here the context for a command that needs no project. */
export type Add<Context extends ProjectSurroundings, Here extends Surroundings = Surroundings> = (
  program: Command,
  open: () => Context,
  here: Here,
) => void;

/** Returns a parser for an option that takes a whole number. @param most the upper limit. Without it there's none. */
export const wholeNumber =
  (least: number, most?: number) =>
  (text: string): number => {
    const value = Number(text);
    if (Number.isInteger(value) && value >= least && value <= (most ?? value)) {
      return value;
    }
    throw new InvalidArgumentError(
      `Give a whole number, ${least} or more${most ? ` and ${most} at most` : ""}.`,
    );
  };

/** Messages that all purge commands share. */
export const UNCHANGED = "Nothing was changed.";
export const CANNOT_BE_UNDONE = "A purge can't be undone, and this isn't a terminal that can ask.";
