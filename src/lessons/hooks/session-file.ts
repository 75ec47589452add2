/** Stores the hooks' state of each conversation in `.context/.local/hook-state.json`, a small local file that is replaced under a lock. */
import writeFileAtomic from "write-file-atomic";
import { patiently } from "../../ground/files/file-errors.ts";
import { localFile, localFileToWrite, removeAbandoned } from "../../ground/files/local-folder.ts";
import { withLock } from "../../ground/files/lock.ts";
import { readJson } from "../../ground/files/read-files.ts";
import { LOCAL_FILES } from "../../ground/project/context-folder.ts";

export interface Session {
  /** The time of its last event, in ms since 1970. */
  readonly at: number;
  /** The agent, by the name of its client. */
  readonly agent?: string;
  /** The ids of the lessons that it got. */
  readonly given: readonly string[];
  /** Lessons that it got at a prompt or an action. A lesson of the start is repeated there. Absent in states of version 0.1.0. */
  readonly sinceStart?: readonly string[];
  /** How many calls were blocked. */
  readonly held?: number;
  /** Whether a call of the server brought an event. False after a start, if the client's other hooks should call the server. */
  readonly served?: boolean;
  /** The files that it edited, relative to the project. */
  readonly edited: readonly string[];
  /** The last failed command since the last log, if its signature may be stored. It never becomes part of a session log. */
  readonly failed?: FailedCommand;
  /** Whether a lesson was logged since the last of these edits. */
  readonly logged: boolean;
  /** Whether it was reminded to log. */
  readonly reminded: boolean;
  /** Events that were answered recently, with the time in ms since 1970. */
  readonly answered: Readonly<Record<string, number>>;
}

/** The redacted signature of a failed command. */
export interface FailedCommand {
  /** Its pattern. */
  readonly command?: string | undefined;
  /** The part of its error that stays the same the next time. */
  readonly error?: string | undefined;
  /** Whether it ran again, and didn't fail. */
  readonly isSolved?: boolean;
}

export type Sessions = Readonly<Record<string, Session>>;

/** How long a hook waits for another one. This is less than a hook's time limit. */
const LOCK_PATIENCE_MS = 2_000;

/** The current sessions. Empty if the file can't be read. */
export function readSessions(localFolder: string): Sessions {
  const path = localFile(localFolder, LOCAL_FILES.hookState);
  return onlySessions(readJson(path) ?? {});
}

/** Runs a read-modify-write on the sessions under the lock. */
export async function updateSessions<T>(
  localFolder: string,
  work: (sessions: Sessions) => Promise<{ sessions: Sessions; result: T }>,
): Promise<T> {
  const path = localFileToWrite(localFolder, LOCAL_FILES.hookState);
  const update = async () => {
    removeAbandoned(localFolder, LOCAL_FILES.hookState);
    const { sessions, result } = await work(readSessions(localFolder));
    patiently(() => writeFileAtomic.sync(path, JSON.stringify(sessions), { fsync: false }));
    return result;
  };
  return withLock(path, update, LOCK_PATIENCE_MS);
}

function onlySessions(value: unknown): Sessions {
  if (typeof value !== "object" || value === null) return {};
  return Object.fromEntries(Object.entries(value).filter(([, session]) => isSession(session)));
}

function isSession(value: unknown): value is Session {
  const session = value as Partial<Session> | null;
  return (
    typeof session?.at === "number" &&
    Array.isArray(session.given) &&
    Array.isArray(session.edited) &&
    typeof session.answered === "object" &&
    session.answered !== null
  );
}
