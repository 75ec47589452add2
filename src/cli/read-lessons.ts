import type { Ledger } from "../lessons/merge/snapshot.ts";
import { fileReport } from "../lessons/answers/presentation.ts";
import type { CommandContext } from "./command.ts";

/** Reads the memory, and says on standard error which lines could not be read, or that the memory is empty. */
export async function readMemory({ store, terminal }: CommandContext): Promise<Ledger> {
  const ledger = await store.read();
  for (const text of fileReport(ledger)) terminal.note(text);
  if (ledger.count === 0) terminal.note(`The memory of this project is empty (${store.location}).`);
  return ledger;
}
