/** Stores the hooks' state of each conversation in `.context/.local/hook-state.json`, a small local file that is replaced under a lock. The changes of a state are pure, and bounded in size and age. */
import writeFileAtomic from "write-file-atomic";
import { isObject } from "../../ground/core/collections.ts";
import { DAY_MS } from "../../ground/core/time.ts";
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
const OLDEST_MS = 7 * DAY_MS;
const MOST_SESSIONS = 20;
const MOST_GIVEN = 500;
const MOST_FILES = 50;
/** Within this time, a repeated event of a conversation counts as the same event. */
const REPEAT_MS = 10_000;

/** The current sessions. Empty if the file can't be read. */
export function readSessions(localFolder: string): Sessions {
  const path = localFile(localFolder, LOCAL_FILES.hookState);
  return onlySessions(readJson(path));
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

export function newSession(now: number): Session {
  return { at: now, given: [], edited: [], logged: false, reminded: false, answered: {} };
}

/** Adds an event that is answered now. Undefined if it was answered a moment ago, as when two clients run the same hook. */
export function withAnswered(session: Session, event: string, now: number): Session | undefined {
  const recent = Object.entries(session.answered).filter(([, at]) => now - at < REPEAT_MS);
  const answered = Object.fromEntries(recent);
  return event in answered
    ? undefined
    : { ...session, at: now, answered: { ...answered, [event]: now } };
}

export function withGiven(session: Session, ids: readonly string[]): Session {
  return { ...session, given: [...new Set([...session.given, ...ids])].slice(-MOST_GIVEN) };
}

/** Adds lessons that were given at a prompt or an action. They aren't repeated before the next start. */
export function withGivenSinceStart(session: Session, ids: readonly string[]): Session {
  const { sinceStart = [] } = session;
  return { ...withGiven(session, ids), sinceStart: [...sinceStart, ...ids].slice(-MOST_GIVEN) };
}

export function withEdited(session: Session, file: string): Session {
  return { ...session, edited: [...new Set([...session.edited, file])].slice(-MOST_FILES) };
}

/** Removes the failed command, after a log or when another session begins. */
export function withoutFailure({ failed: _, ...session }: Session): Session {
  return session;
}

/** The sessions with one of them replaced, and stale ones and stale failures dropped. */
export function withSession(
  sessions: Sessions,
  id: string,
  session: Session,
  now: number,
): Sessions {
  const all = Object.entries({ ...sessions, [id]: session }).filter(
    ([, { at }]) => now - at < OLDEST_MS,
  );
  const kept = all.sort(([, a], [, b]) => b.at - a.at).slice(0, MOST_SESSIONS);
  return Object.fromEntries(
    kept.map(([name, one]) => [name, now - one.at < DAY_MS ? one : withoutFailure(one)]),
  );
}

/** Leaves out what isn't a session, so that a damaged state is replaced. */
function onlySessions(value: unknown): Sessions {
  if (!isObject(value)) {
    return {};
  }
  const sessions = Object.entries(value).filter(([, session]) => isSession(session));
  return Object.fromEntries(sessions) as unknown as Sessions;
}

function isSession(value: unknown): boolean {
  if (!isObject(value)) {
    return false;
  }
  const { at, given, edited, answered } = value;
  const hasLists = Array.isArray(given) && Array.isArray(edited);
  return hasLists && typeof at === "number" && isObject(answered);
}
