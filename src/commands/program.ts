/** The command line, apart from the server: commander reads it; each command is a file that adds itself. */
import { Command, CommanderError } from "commander";
import { MemoryError } from "../errors.ts";
import { findProject } from "../project.ts";
import { JsonlStore } from "../store/jsonl-store.ts";
import type { AddCommand, CommandContext } from "./command.ts";
import { addForget } from "./forget.ts";
import { addInit } from "./init.ts";
import { addPurge } from "./purge.ts";
import { addRestore } from "./restore.ts";
import { Terminal } from "./terminal.ts";
import { addUninstall } from "./uninstall.ts";

const COMMANDS: readonly AddCommand[] = [addInit, addUninstall, addForget, addRestore, addPurge];

/**
 * Runs the command that was given.
 *
 * @param argv as in process.argv.
 * @returns the exit status: 0; 1 when the command failed or found something wrong, or when the command line was wrong.
 */
export async function runCommand(argv: readonly string[], version: string): Promise<number> {
  const terminal = new Terminal(process.stdin, process.stdout);
  const program = new Command("sentinel-memory")
    .description(
      "A project memory for coding agents. Without a command it is the MCP server, on standard input and output.",
    )
    .version(version)
    .option("--project <dir>", "the project's folder; found from the working directory when it is not given")
    .exitOverride();
  const open = (): CommandContext => {
    const project = findProject({ flag: program.opts().project, env: process.env, cwd: process.cwd() });
    return { project, store: new JsonlStore(project.memoryFile), terminal };
  };
  for (const add of COMMANDS) add(program, open);

  try {
    await program.parseAsync(argv);
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode;
    if (!(error instanceof MemoryError)) throw error;
    terminal.fail(`error ${error.code}: ${error.message}\nfix: ${error.fix}`);
    return 1;
  }
}
