/**
 * Which candidates a person wants to see no more: a file of lines beside the session log, which any number of processes append to. A line
 * holds an id, and nothing of what failed.
 */
import { join } from "node:path";
import { appendLines, readLog } from "../../ground/files/append-log.ts";

interface Verdict {
  readonly id: string;
  /** Whether it is offered after all. */
  readonly again: boolean;
}

/** @param again takes an earlier `never` back. @throws the file system's own error. */
export function decideNever(logFolder: string, id: string, { again = false } = {}): void {
  appendLines(fileIn(logFolder), [JSON.stringify({ id, again })], 0o600);
}

/** The ids that are offered no more. */
export async function readNever(logFolder: string): Promise<ReadonlySet<string>> {
  const { entries } = await readLog(fileIn(logFolder), read);
  const never = new Set<string>();
  for (const { id, again } of entries) again ? never.delete(id) : never.add(id);
  return never;
}

function read(line: string): Verdict | undefined {
  try {
    const { id, again } = JSON.parse(line);
    return typeof id === "string" ? { id, again: again === true } : undefined;
  } catch {
    return undefined;
  }
}

const fileIn = (logFolder: string): string => join(logFolder, "never-candidates.jsonl");
