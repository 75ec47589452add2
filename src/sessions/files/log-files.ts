import { join } from "node:path";
import { fileError } from "../../ground/files/file-errors.ts";
import { withLock } from "../../ground/files/lock.ts";
import { makePrivateFolder } from "../../ground/files/private-file.ts";
import { Artifacts } from "./artifacts.ts";
import { DayFiles } from "./day-files.ts";
import { PurgedList } from "./purged-list.ts";

/** What the lock is named after; no such file is made. */
const LOCKED = "record";

export type LogFiles = Readonly<ReturnType<typeof logFiles>>;

export function logFiles(folder: string) {
  return {
    folder,
    days: new DayFiles(join(folder, "events")),
    artifacts: new Artifacts(join(folder, "artifacts")),
    purged: new PurgedList(join(stateFolder(folder), "purged.jsonl")),
  };
}

/** Does what one process may do at a time, such as a purge; others append and read. @throws SentinelError `lock_timeout`, `read_only`; the act's. */
export async function withLogLock<Result>(
  folder: string,
  act: () => Promise<Result>,
  patienceMs?: number,
): Promise<Result> {
  const state = stateFolder(folder);
  try {
    makePrivateFolder(state);
    return await withLock(join(state, LOCKED), act, patienceMs);
  } catch (error) {
    throw fileError(error, "write_failed", `writing the session log in ${folder}`);
  }
}

const stateFolder = (folder: string): string => join(folder, "state");
