import type { Ledger } from "../memory/ledger.ts";
import { fileReport } from "../memory/presentation.ts";
import type { CommandContext } from "./command.ts";

/** Reads the memory, and tells on standard error what of the file could not be read, or that there is nothing. */
export async function readMemory({ store, terminal }: CommandContext): Promise<Ledger> {
  const ledger = await store.read();
  for (const text of fileReport(ledger)) terminal.note(text);
  if (ledger.count === 0) terminal.note(`The memory of this project is empty (${store.location}).`);
  return ledger;
}
