/** A look at the bytes of a memory, which costs far less than reading it: hooks run with every file that an agent reads. */
import { readFileSync, statSync } from "node:fs";

/** Whether any lesson may say when it comes up. */
export function anyWhen(memoryFile: string): boolean {
  const isFile = statSync(memoryFile, { throwIfNoEntry: false })?.isFile() ?? false;
  return isFile && readFileSync(memoryFile).includes('"when"');
}
