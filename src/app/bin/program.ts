/** Runs the command line, or the server if there is no command. */
import { parseArgs } from "node:util";
import { tryOr } from "../../ground/core/errors.ts";
import { runCommand } from "../cli/program.ts";
import { serve } from "./server.ts";

void main();

async function main(): Promise<void> {
  // Git sets these for its hooks. They would make our git calls use another repository.
  for (const name of ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX"])
    delete process.env[name];
  const server = serverArguments(process.argv.slice(2));
  if (server) await serve(server.project);
  else
    process.exitCode = await runCommand({
      argv: process.argv,
      env: process.env,
      cwd: process.cwd(),
      build: import.meta.dirname,
      input: process.stdin,
      output: process.stdout,
      errors: process.stderr,
    });
  process.exit();
}

/** Returns the arguments of the server. Undefined if a command was given. */
function serverArguments(args: readonly string[]): { project: string | undefined } | undefined {
  const options = { project: { type: "string" } } as const;
  return tryOr(
    () => ({ project: parseArgs({ args: [...args], options }).values.project }),
    undefined,
  );
}
