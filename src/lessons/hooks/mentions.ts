/** A look at the bytes of a memory, which costs far less than reading it: hooks run with every call of an agent. */
import { readFileSync, statSync } from "node:fs";
import { fileStamp } from "../../ground/files/file-stamp.ts";

/** By word, with the stamp of the file that was looked at: a server is asked again and again about one file. */
const known = new Map<string, { readonly stamp: string; readonly found: boolean }>();

/** Whether the memory's file contains a word. */
export function mentions(memoryFile: string, word: string): boolean {
  const info = statSync(memoryFile, { bigint: true, throwIfNoEntry: false });
  if (!info?.isFile()) return false;
  const stamp = `${memoryFile} ${fileStamp(info)}`;
  const last = known.get(word);
  if (last?.stamp === stamp) return last.found;
  const found = readFileSync(memoryFile).includes(word);
  known.set(word, { stamp, found });
  return found;
}
