/**
 * Keeps the candidates that a person wants to see no more: a file of lines beside the session log, or without one in the project's
 * local folder, which any number of processes append to. A line holds an id, and nothing of what failed.
 */
import { join } from "node:path";
import { orElse } from "../../ground/core/or-else.ts";
import { appendLines, readLog } from "../../ground/files/append-log.ts";
import { fileError } from "../../ground/files/file-errors.ts";
import { LOCAL_FILES } from "../../ground/project/context-folder.ts";

/** @param again takes an earlier `never` back. @throws SentinelError where the file cannot be written. */
export function decideNever(path: string, id: string, { again = false } = {}): void {
  try {
    appendLines(path, [JSON.stringify({ id, again })], 0o600);
  } catch (error) {
    throw fileError(error, "write_failed", `writing ${path}`);
  }
}

/** The ids that are offered no more. @throws SentinelError `read_failed`. */
export async function readNever(folder: string): Promise<ReadonlySet<string>> {
  const path = join(folder, LOCAL_FILES.never);
  const { entries } = await readLog(path, read).catch((error) => {
    throw fileError(error, "read_failed", `reading ${path}`);
  });
  const never = new Set<string>();
  for (const { id, again } of entries) again ? never.delete(id) : never.add(id);
  return never;
}

function read(line: string): { readonly id: string; readonly again: boolean } | undefined {
  const verdict = orElse(() => JSON.parse(line), undefined);
  return typeof verdict?.id === "string" ? { id: verdict.id, again: verdict.again === true } : undefined;
}
