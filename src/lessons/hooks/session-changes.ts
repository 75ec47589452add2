/** Computes a conversation's state after an event. Pure, and bounded in size and age. */
import { DAY_MS } from "../../ground/core/time.ts";
import type { Session, Sessions } from "./session-file.ts";

const OLDEST_MS = 7 * DAY_MS;
const MOST_SESSIONS = 20;
const MOST_GIVEN = 500;
const MOST_FILES = 50;
/** Within this time, a repeated event of a conversation counts as the same event. */
const REPEAT_MS = 10_000;

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
