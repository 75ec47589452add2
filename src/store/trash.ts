/**
 * The local trash: every version that a write takes out of the memory file, kept on this machine and never shared.
 *
 * `.context/.local/trash.jsonl`, one JSON object a line: when it went, why, which record stands for it, and its line as it
 * was. It is only ever appended to, before the file is replaced, except by a purge.
 */
import { mkdir, open } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Dropped } from "../memory/settle.ts";

/** The folder for what belongs to this machine alone. */
export const LOCAL_FOLDER = ".local";

export function trashPath(memoryFile: string): string {
  return join(dirname(memoryFile), LOCAL_FOLDER, "trash.jsonl");
}

/** Appends versions to the trash and flushes it. */
export async function appendToTrash(memoryFile: string, dropped: readonly Dropped[], now: number): Promise<void> {
  if (dropped.length === 0) return;
  const at = new Date(now).toISOString();
  const entries = dropped.map(({ line, because, by }) => {
    const text = Buffer.from(line.raw, "latin1").toString("utf8");
    return `${JSON.stringify({ at, because, by, id: line.version.id, line: text })}\n`;
  });
  const path = trashPath(memoryFile);
  await mkdir(dirname(path), { recursive: true });
  const handle = await open(path, "a");
  try {
    await handle.writeFile(entries.join(""));
    await handle.sync();
  } finally {
    await handle.close();
  }
}
