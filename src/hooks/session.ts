/**
 * What the hooks remember of a conversation, from one event to the next: pure, and bounded in size and age.
 */

export interface Session {
  /** When it was last heard of, in ms since 1970. */
  readonly at: number;
  /** The ids of lessons it was given. */
  readonly given: readonly string[];
  /** The files it edited, by their names in the project. */
  readonly edited: readonly string[];
  /** Whether something was logged since the last edit that is listed. */
  readonly logged: boolean;
  /** Whether it was reminded to log. */
  readonly reminded: boolean;
  /** Events that were answered lately: what they were, and when in ms since 1970. */
  readonly answered: Readonly<Record<string, number>>;
}

export type Sessions = Readonly<Record<string, Session>>;

const DAY = 24 * 60 * 60 * 1000;
const OLDEST = 7 * DAY;
const MOST_SESSIONS = 20;
const MOST_GIVEN = 500;
const MOST_EDITED = 50;
/** Within this time the same event of a conversation is one that arrived twice, in ms. */
const TWICE = 10_000;

export function newSession(now: number): Session {
  return { at: now, given: [], edited: [], logged: false, reminded: false, answered: {} };
}

/** Whether this event was answered a moment ago, by the hook of another client that runs beside. */
export function wasAnswered(session: Session, event: string, now: number): boolean {
  const at = session.answered[event];
  return at !== undefined && now - at < TWICE;
}

export function withAnswered(session: Session, event: string, now: number): Session {
  const recent = Object.entries(session.answered).filter(([, at]) => now - at < TWICE);
  return { ...session, at: now, answered: { ...Object.fromEntries(recent), [event]: now } };
}

export function withGiven(session: Session, ids: readonly string[]): Session {
  return { ...session, given: [...new Set([...session.given, ...ids])].slice(-MOST_GIVEN) };
}

export function withEdited(session: Session, file: string): Session {
  return { ...session, edited: [...new Set([...session.edited, file])].slice(-MOST_EDITED) };
}

/** The sessions with one of them replaced, the stale ones dropped. */
export function withSession(sessions: Sessions, id: string, session: Session, now: number): Sessions {
  const all = Object.entries({ ...sessions, [id]: session }).filter(([, { at }]) => now - at < OLDEST);
  return Object.fromEntries(all.sort(([, a], [, b]) => b.at - a.at).slice(0, MOST_SESSIONS));
}

/** Reads what was stored; anything that is no session is left out. */
export function readSessions(value: unknown): Sessions {
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
