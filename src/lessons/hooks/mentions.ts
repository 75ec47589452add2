/** Searches the bytes of a memory file. Hooks run with every call of an agent, and this costs far less than parsing. */
import { readFileSync, statSync } from "node:fs";

/** Whether the memory's file contains a word. */
export function mentions(memoryFile: string, word: string): boolean {
  const isFile = statSync(memoryFile, { throwIfNoEntry: false })?.isFile() ?? false;
  return isFile && readFileSync(memoryFile).includes(word);
}
