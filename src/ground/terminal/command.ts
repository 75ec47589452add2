/** What a command is: a function that adds itself to the program, and what it gets to work with. */
import type { Command } from "commander";
import type { Project } from "../project/find-project.ts";
import type { ReadPrivacy } from "../project/privacy.ts";
import type { Spell } from "./shell.ts";
import type { Terminal } from "./terminal.ts";

/** What a command has that needs no project. */
export interface Surroundings {
  readonly terminal: Terminal;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Where the person who reads the output types the next command. */
  readonly cwd: string;
  readonly build: string;
  /** Writes our commands in a text as this user can run them. */
  readonly spelt: Spell;
}

/** What a command about a project works with. */
export interface ProjectSurroundings extends Surroundings {
  readonly project: Project;
  readonly readPrivacy: ReadPrivacy;
}

/** Adds a command. @param open finds the project once it runs, or throws `no_project`. @param here for one that runs without a project. */
export type Add<Context extends ProjectSurroundings, Here extends Surroundings = Surroundings> = (
  program: Command,
  open: () => Context,
  here: Here,
) => void;
