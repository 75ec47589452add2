/** What answers the calls of a server: a bundle of its own, loaded after the handshake. What only some calls need is loaded with the first of them. */
import packageJson from "../../../package.json" with { type: "json" };
import { orElse } from "../../ground/core/or-else.ts";
import { log } from "../../ground/files/stderr.ts";
import { findProject } from "../../ground/project/find-project.ts";
import { isRecorded } from "../../sessions/consent/is-recorded.ts";
import { openedOnce } from "../server/opened-once.ts";
import { type MemoryServer, openServer } from "../server/server.ts";
import { openStores } from "./open-stores.ts";

/** The smallest useful answer, in bytes. */
const LEAST_OUTPUT_BUDGET_BYTES = 2_000;

/**
 * The server of this process.
 * @param flag the folder that `--project` named. @param send writes a message to the client.
 */
export function openCalls(
  flag: string | undefined,
  clientName: () => string | undefined,
  send: (message: object) => void,
): Promise<MemoryServer> {
  const found = () => findProject({ flag, env: process.env, cwd: process.cwd() });
  const parts = {
    version: packageJson.version,
    clientName,
    openStores: openedOnce(async () => openStores(found())),
    // Without a project nothing is recorded.
    isRecorded: () => orElse(() => isRecorded(found().folder), false),
    logParts: async () => {
      const { openEvents } = await import("./open-events.ts");
      return { project: found(), env: process.env, openEvents };
    },
    openHooks: async () => {
      const { HookCalls } = await import("../server/hook-tool.ts");
      return new HookCalls(found(), process.env);
    },
    outputBudgetBytes: outputBudgetBytes(process.env.SENTINEL_OUTPUT_BUDGET),
  };
  return openServer(parts, send);
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
