/**
 * Finds the session of a tool call. Clients don't tell the server, so the agent passes it, or the newest session of its client and user
 * counts. Pure.
 */
import { isOwnLoop } from "../../ground/clients/clients.ts";
import { SentinelError } from "../../ground/core/errors.ts";
import { type BriefEvent, inTime, isOwn } from "../kinds/event.ts";

export interface AskingSession {
  readonly session: string;
  /** The source of the id. `unknown` means that nothing of the session is recorded yet. */
  readonly how: "given" | "newest" | "unknown";
}

interface Asking {
  /** The whole id or its beginning, as shown at the start of a session. */
  readonly given?: string | undefined;
  /** The agent's name in events. */
  readonly agent: string;
  /** The session to use if none is known. */
  readonly fallback: string;
}

/** Enough characters of an id to tell a project's sessions apart. */
const SHORTEST = 8;

/**
 * Matches ids that clients generate, and any eight characters with a digit. Nothing of them needs to be recorded yet. Other names are
 * guesses.
 */
const ID = /^(?:[0-9a-f]{8}(?:-|$)|ses_|(?=.*\d).{8})/i;

/** @param events the recent ones, in any order. @throws SentinelError `bad_argument` for a name that can't be a session of this client. */
export function askingSession(events: Iterable<BriefEvent>, asking: Asking): AskingSession {
  const newestFirst = inTime(events).reverse();
  const name = asking.given?.trim() ?? "";
  const newest = newestWritten(newestFirst, asking.agent);
  if (name !== "") {
    const alike =
      name.length < SHORTEST ? [] : newestFirst.filter(({ session }) => session.startsWith(name));
    // Statements before the first capture are stored under the short id.
    const known =
      alike.find(({ session }) => session !== name) ??
      newestFirst.find(({ session }) => session === name);
    // A custom agent loop may use a client's name. It leaves no transcripts, so none of its sessions are known.
    const mayBeGuess = newest !== undefined && !isOwnLoop(asking.agent) && !ID.test(name);
    if (!known && mayBeGuess) {
      throw noSuchSession(name, newest);
    }
    return known ? { session: known.session, how: "given" } : { session: name, how: "unknown" };
  }
  return newest === undefined
    ? { session: asking.fallback, how: "unknown" }
    : { session: newest, how: "newest" };
}

/** The client's newest session with a transcript. A session known only from a tool call doesn't count for other calls. */
function newestWritten(newestFirst: readonly BriefEvent[], agent: string): string | undefined {
  const ofAgent = newestFirst.filter(
    (event) => isOwn(event) && event.agent.split("/", 1)[0] === agent,
  );
  const written = new Set(ofAgent.filter(isWrittenByClient).map(({ session }) => session));
  return ofAgent.find(({ session }) => written.has(session))?.session;
}

/** Whether only a transcript can contain such an event. */
function isWrittenByClient({ kind, actor }: BriefEvent): boolean {
  return kind === "session" || (kind === "message" && actor.type === "human");
}

function noSuchSession(name: string, newest: string): SentinelError {
  return new SentinelError(
    "bad_argument",
    `No session ${JSON.stringify(name.slice(0, 40))} is known here; nothing was stored.`,
    `Leave session out: then your newest counts, ${newest.slice(0, SHORTEST)}. Or give its id, which has eight characters or more and a digit.`,
  );
}
