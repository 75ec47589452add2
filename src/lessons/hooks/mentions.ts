/** A look at the bytes of a memory, which costs far less than parsing it: hooks run with every call of an agent. */
import { readFileSync, statSync } from "node:fs";

/** Whether the memory's file contains a word. */
export function mentions(memoryFile: string, word: string): boolean {
  const isFile = statSync(memoryFile, { throwIfNoEntry: false })?.isFile() ?? false;
  return isFile && readFileSync(memoryFile).includes(word);
}
