import { join } from "node:path";
import { Artifacts } from "./artifacts.ts";
import { DayFiles } from "./day-files.ts";
import { PurgedList } from "./purged-list.ts";

/** The files of a session log. */
export interface LogFiles {
  readonly folder: string;
  readonly days: DayFiles;
  readonly artifacts: Artifacts;
  readonly purged: PurgedList;
}

export function logFiles(folder: string): LogFiles {
  return {
    folder,
    days: new DayFiles(join(folder, "events")),
    artifacts: new Artifacts(join(folder, "artifacts")),
    purged: new PurgedList(join(folder, "state", "purged.jsonl")),
  };
}

/** Writes a cache if possible. If that fails, the next process that needs the cache tries again. @returns whether the work was done. */
export async function ifPossible(work: Promise<unknown>): Promise<boolean> {
  try {
    await work;
    return true;
  } catch {
    return false;
  }
}
