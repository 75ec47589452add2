/** Answers the calls of a server, which loads it after the handshake, and those of its hooks where there is something to say. */

import { orElse } from "../../ground/core/errors.ts";
import { log } from "../../ground/files/stderr.ts";
import { findProject } from "../../ground/project/find-project.ts";
import { invocationIn, spellCommands } from "../../ground/terminal/shell.ts";
import { commandLineIn } from "../../sessions/hooks/start-capture.ts";
import { openHookCalls } from "../server/hook-tool.ts";
import { openedOnce } from "../server/opened-once.ts";
import { type MemoryServer, openServer, type ServerParts } from "../server/server.ts";
import { openStores } from "./open-stores.ts";

export { answerPayload } from "../hooks/answer-payload.ts";

/** The smallest useful answer, in bytes. */
const LEAST_OUTPUT_BUDGET_BYTES = 2_000;

/** The server of this process. @param flag the folder that `--project` named. */
export function openCalls(
  flag: string | undefined,
  client: Pick<ServerParts, "clientName" | "isRecorded">,
): MemoryServer {
  const { env } = process;
  const found = () => findProject({ flag, env, cwd: process.cwd() });
  const spelt = (text: string) =>
    spellCommands(
      text,
      invocationIn(
        orElse(() => found().folder, process.cwd()),
        commandLineIn(import.meta.dirname),
        env.PATH,
      ),
    );
  const parts = {
    ...client,
    spelt,
    openStores: openedOnce(async () => openStores(found())),
    loadSessionTools: async () => (await import("./sessions.ts")).SESSION_TOOLS,
    openRecordings: async (startedAt: number) =>
      (await import("./sessions.ts")).openRecordings({ project: found(), env }, startedAt),
    openHooks: () => openHookCalls(found(), env),
    outputBudgetBytes: outputBudgetBytes(env.SENTINEL_OUTPUT_BUDGET),
  };
  return openServer(parts);
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
