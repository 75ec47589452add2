/** The program: by its first argument a hook, the command line, or without a command the server. It loads only what it is. */
import * as nodeModule from "node:module";
import { parseArgs } from "node:util";
import { HOOK_ARGUMENT, HOOK_NAME, SESSION_HOOK } from "../../ground/clients/launch.ts";
import { orElse } from "../../ground/core/errors.ts";

if (process.argv[1] === HOOK_NAME || process.argv[2] === HOOK_ARGUMENT) void import("./hook.ts");
else if (process.argv[2] === SESSION_HOOK)
  void import("./record-hook.ts").then((hook) => hook.answerSessionHook());
else void main();

async function main(): Promise<void> {
  // Git sets them for its hooks, where they would turn questions about the project's folder to another place.
  for (const name of ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX"])
    delete process.env[name];
  // From 22.8 on Node can keep what it compiles, in a temporary folder of its own and at the end of the process.
  if ("enableCompileCache" in nodeModule) (nodeModule.enableCompileCache as () => unknown)();
  const server = serverArguments(process.argv.slice(2));
  if (server) await (await import("./server.ts")).serve(server.project);
  else process.exitCode = await (await import("./commands.ts")).runCommandLine();
  process.exit();
}

/** The arguments of a start as a server; undefined for a command. Commander would add to every start, so it is not asked. */
function serverArguments(args: readonly string[]): { project: string | undefined } | undefined {
  const options = { project: { type: "string" } } as const;
  return orElse(
    () => ({ project: parseArgs({ args: [...args], options }).values.project }),
    undefined,
  );
}
