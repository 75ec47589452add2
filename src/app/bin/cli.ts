/** The program `sentinel-memory`. Without a command it is the server; with one it is the command line. It loads only what it is. */
import * as nodeModule from "node:module";
import { parseArgs } from "node:util";
import { orElse } from "../../ground/core/or-else.ts";

void main();

async function main(): Promise<void> {
  keepCompiledCode();
  const server = serverArguments(process.argv.slice(2));
  if (server) await (await import("./server.ts")).serve(server.project);
  else process.exitCode = await (await import("./commands.ts")).runCommandLine();
  process.exit();
}

/**
 * The arguments of a start as a server; undefined for a command, or for help. Read without the argument library of the
 * commands, which would add to every start.
 */
function serverArguments(args: readonly string[]): { project: string | undefined } | undefined {
  const options = { project: { type: "string" } } as const;
  return orElse(() => ({ project: parseArgs({ args: [...args], options }).values.project }), undefined);
}

/** Has Node keep what it compiles, in a temporary folder of its own and at the end of the process; from 22.8 on it can. */
function keepCompiledCode(): void {
  if ("enableCompileCache" in nodeModule) (nodeModule.enableCompileCache as () => unknown)();
}
