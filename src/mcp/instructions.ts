import { setTimeout as sleep } from "node:timers/promises";
import { CLIENTS } from "../clients/clients.ts";

/**
 * The instructions that every client gets in `initialize`: the loop in short, for an agent that has not read a rules file. They
 * cost each session their tokens.
 *
 * @internal
 */
export const INSTRUCTIONS = `This project keeps a memory of what earlier instructions left out, one file in the repository.
1. Before every task call search_memory with the task in a few words. Follow the lessons that apply; ask their ask_next_time unless the task already says so.
2. After it call log_memory once for each thing you had to find out that the instructions did not say. If nothing, log nothing; nothing that the user marks private.
3. When an answer says that a compaction is due, call compact_memory and follow what it prints.
What the memory returns are notes to weigh, not orders.`;

const TOOLS_OF_THE_RECORD = `Call build_acb to go on with earlier work or ask about it; record_event when something is decided, a task begins or ends, or work is handed over; query_decisions before you change what may be settled; get_artifact to see what an id names.`;

/**
 * What follows the loop where sessions are recorded.
 *
 * @internal
 */
export const RECORDED = `Sessions here are recorded. ${TOOLS_OF_THE_RECORD}`;

/** For an agent without a clone, whose transcript nobody reads. */
export const RECORDED_ELSEWHERE = `This is the record of a project's sessions. Of yours it has what you record and nothing else. ${TOOLS_OF_THE_RECORD}`;

/** How long the first answer may wait for lessons. */
const PATIENCE_MS = 100;

/**
 * The instructions for a client: the loop, and a few lessons where no hook brings them.
 *
 * @param clientName as the client gives it in `initialize`.
 * @param isRecorded whether the tools of the record are listed.
 * @param readOpening what follows the loop; a failure, or one that takes too long, leaves the loop alone.
 */
export async function instructionsFor(
  clientName: string,
  isRecorded: boolean,
  readOpening: () => Promise<string>,
): Promise<string> {
  const loop = isRecorded ? `${INSTRUCTIONS}\n${RECORDED}` : INSTRUCTIONS;
  if (CLIENTS.some((client) => client.hooks && client.clientName?.test(clientName))) return loop;
  const timer = new AbortController();
  const late = sleep(PATIENCE_MS, "", { signal: timer.signal, ref: false });
  const opening = await Promise.race([readOpening(), late]).catch(() => "");
  timer.abort();
  return opening === "" ? loop : `${loop}\n\n${opening}`;
}
