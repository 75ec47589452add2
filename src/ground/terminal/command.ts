/** The type of a command: a function that adds itself to the program, and the context it runs in. */
import type { Command } from "commander";
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
