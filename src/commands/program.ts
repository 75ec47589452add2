/** The command line, apart from the server: commander reads it, each command is a file of its own. */
import { Command, CommanderError } from "commander";

/**
 * Runs the command that was given.
 *
 * @param argv as in process.argv.
 * @returns the exit status: 0, or 1 when the command line was wrong.
 */
export async function runCommand(argv: readonly string[], version: string): Promise<number> {
  const program = new Command("sentinel-memory")
    .description("A project memory for coding agents. Without a command it is the MCP server, on standard input and output.")
    .version(version)
    .option("--project <dir>", "the project's folder; found from the working directory when it is not given")
    .exitOverride();
  try {
    await program.parseAsync(argv);
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode;
    throw error;
  }
}
