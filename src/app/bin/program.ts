/** The program: the command line, or without a command the server. */
import { parseArgs } from "node:util";
import { tryOr } from "../../ground/core/errors.ts";
import { runCommandLine } from "./commands.ts";
import { serve } from "./server.ts";

void main();

async function main(): Promise<void> {
  // Git sets these for its hooks. They would redirect our calls of git to another repository.
  for (const name of ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX"])
    delete process.env[name];
  const server = serverArguments(process.argv.slice(2));
  if (server) await serve(server.project);
  else process.exitCode = await runCommandLine();
  process.exit();
}

/** The arguments of a start as a server; undefined for a command. */
function serverArguments(args: readonly string[]): { project: string | undefined } | undefined {
  const options = { project: { type: "string" } } as const;
  return tryOr(
    () => ({ project: parseArgs({ args: [...args], options }).values.project }),
    undefined,
  );
}
