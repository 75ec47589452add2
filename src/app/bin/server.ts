/** The server that an agent starts, on standard input and output. What only some calls need is loaded with the first of them. */
import packageJson from "../../../package.json" with { type: "json" };
import { orElse } from "../../ground/core/or-else.ts";
import { log } from "../../ground/files/stderr.ts";
import { findProject, type Project } from "../../ground/project/find-project.ts";
import { openingLessons } from "../../lessons/tools/opening-lessons.ts";
import { isRecorded } from "../../sessions/consent/is-recorded.ts";
import { openedOnce } from "../server/opened-once.ts";
import { createServer } from "../server/server.ts";
import { serveStdio } from "../server/stdio.ts";

/** The smallest useful answer, in bytes. */
const LEAST_OUTPUT_BUDGET_BYTES = 2_000;

/** Serves until the client leaves or a signal ends it. @param project the folder that `--project` named. */
export async function serve(project: string | undefined): Promise<void> {
  if (process.stdin.isTTY) log("an MCP server, waiting for a client on standard input; see --help, or press Ctrl-C.");
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => stop.abort());
  const memoryServer = createServer({
    version: packageJson.version,
    // The project is looked for with the first call, so that a server without one can still say what is wrong.
    openStores: openedOnce(async () => (await import("./open-stores.ts")).openStores(foundFrom(project))),
    readOpening: async () => openingLessons(foundFrom(project).context),
    // Without a project nothing is recorded.
    isRecorded: () => orElse(() => isRecorded(foundFrom(project).folder), false),
    logParts: async () => {
      const { openEvents } = await import("./open-events.ts");
      return { project: foundFrom(project), env: process.env, openEvents };
    },
    openHooks: async () => {
      const { HookCalls } = await import("../server/hook-tool.ts");
      return new HookCalls(foundFrom(project), process.env);
    },
    outputBudgetBytes: outputBudgetBytes(process.env.SENTINEL_OUTPUT_BUDGET),
  });
  await serveStdio(memoryServer, process.stdin, process.stdout, stop.signal);
}

function foundFrom(flag: string | undefined): Project {
  return findProject({ flag, env: process.env, cwd: process.cwd() });
}

/** Bytes an answer may hold; undefined when the variable is not set, or not to a usable number. */
function outputBudgetBytes(value: string | undefined): number | undefined {
  if (!value) return undefined;
  const bytes = Number(value);
  if (Number.isInteger(bytes) && bytes >= LEAST_OUTPUT_BUDGET_BYTES) return bytes;
  log(
    `SENTINEL_OUTPUT_BUDGET is "${value}", not a number of bytes from ${LEAST_OUTPUT_BUDGET_BYTES} up; it is ignored.`,
  );
  return undefined;
}
