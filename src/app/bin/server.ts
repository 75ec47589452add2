/** The server that an agent starts. It uses standard input and output. */
import { tryOr } from "../../ground/core/errors.ts";
import { log } from "../../ground/files/stderr.ts";
import { findProject } from "../../ground/project/find-project.ts";
import { invocationIn, spellCommands } from "../../ground/terminal/shell.ts";
import { openingLessons } from "../../lessons/tools/opening-lessons.ts";
import { isRecorded } from "../../sessions/consent/find-log.ts";
import { commandLineIn } from "../../sessions/hooks/start-capture.ts";
import { openRecordings } from "../../sessions/tools/recording.ts";
import { openHookCalls } from "../server/hook-tool.ts";
import { openedOnce } from "../server/opened-once.ts";
import { createServer } from "../server/server.ts";
import { serveStdio } from "../server/stdio.ts";
import { openEvents } from "./open-events.ts";
import { openStores } from "./open-stores.ts";

/** The smallest useful answer, in bytes. */
const LEAST_OUTPUT_BUDGET_BYTES = 2_000;

/** Serves until the client disconnects or a signal arrives. @param flag the folder given by `--project`. */
export async function serve(flag: string | undefined): Promise<void> {
  if (process.stdin.isTTY)
    log("an MCP server, waiting for a client on standard input; see --help, or press Ctrl-C.");
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => stop.abort());
  const { env } = process;
  // Look again on each call, so that a server without a project can still explain the problem.
  const found = () => findProject({ flag, env, cwd: process.cwd() });
  const server = createServer({
    // Recording needs a project.
    isRecorded: () => tryOr(() => isRecorded(found().folder, env), false),
    readOpening: async () => openingLessons(found().context),
    openStores: openedOnce(async () => openStores(found())),
    openRecordings: async (startedAt) =>
      openRecordings({ project: found(), env, openEvents }, startedAt),
    openHooks: () => openHookCalls(found(), env),
    spelt: (text) =>
      spellCommands(
        text,
        invocationIn(
          tryOr(() => found().folder, process.cwd()),
          commandLineIn(import.meta.dirname),
          env.PATH,
        ),
      ),
    outputBudgetBytes: outputBudgetBytes(env.SENTINEL_OUTPUT_BUDGET),
  });
  await serveStdio(server, process.stdin, process.stdout, stop.signal);
}

/** Returns the most bytes in an answer. Undefined if the variable is not set or not a usable number. */
function outputBudgetBytes(value: string | undefined): number | undefined {
  if (!value) return undefined;
  const bytes = Number(value);
  if (Number.isInteger(bytes) && bytes >= LEAST_OUTPUT_BUDGET_BYTES) return bytes;
  log(
    `SENTINEL_OUTPUT_BUDGET is "${value}", not a number of bytes from ${LEAST_OUTPUT_BUDGET_BYTES} up; it is ignored.`,
  );
  return undefined;
}
