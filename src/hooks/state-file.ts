/** The hooks' only file: `.context/.local/hook-state.json`, small, local, and replaced whole under a lock. */
import { mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import writeFileAtomic from "write-file-atomic";
import { acquireLock } from "../store/file-lock.ts";
import { LOCAL_FOLDER } from "../store/trash.ts";
import { readSessions, type Sessions } from "./session.ts";

/** Lets some work read the sessions and say what they become; of hooks that run at once, one after the other. */
export async function updateSessions<T>(
  memoryFile: string,
  work: (sessions: Sessions) => Promise<{ sessions: Sessions; result: T }>,
): Promise<T> {
  const path = join(dirname(memoryFile), LOCAL_FOLDER, "hook-state.json");
  mkdirSync(dirname(path), { recursive: true });
  const lock = await acquireLock(path);
  try {
    const { sessions, result } = await work(readState(path));
    await writeFileAtomic(path, JSON.stringify(sessions), { fsync: false });
    return result;
  } finally {
    await lock.release();
  }
}

function readState(path: string): Sessions {
  try {
    return readSessions(JSON.parse(readFileSync(path, "utf8")));
  } catch {
    return {};
  }
}
