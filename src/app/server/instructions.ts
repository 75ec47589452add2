import { setTimeout as sleep } from "node:timers/promises";
import { CLIENTS } from "../../ground/clients/clients.ts";
import { INSTRUCTIONS } from "../../lessons/tools/instructions.ts";
import { RECORDED } from "../../sessions/tools/instructions.ts";

/** How long the first answer may wait for lessons. */
const PATIENCE_MS = 100;

/**
 * The instructions for a client: the loop, and a few lessons where no hook brings them. @param clientName as in `initialize`.
 * @param isRecorded whether the session log's tools are listed. @param readOpening late or failed, it leaves the loop alone.
 */
export async function instructionsFor(
  clientName: string,
  isRecorded: boolean,
  readOpening: () => Promise<string>,
): Promise<string> {
  const loop = isRecorded ? `${INSTRUCTIONS}\n${RECORDED}` : INSTRUCTIONS;
  if (CLIENTS.some((client) => client.hooks && !client.hooks.needsTrust && client.clientName?.test(clientName)))
    return loop;
  const late = sleep(PATIENCE_MS, "", { ref: false });
  const opening = await Promise.race([readOpening(), late]).catch(() => "");
  return opening === "" ? loop : `${loop}\n\n${opening}`;
}
