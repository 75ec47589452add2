/** Which session asks: no client tells its server, so the agent says it, or the newest of its client and person counts. Pure. */
import { SentinelError } from "../../ground/core/errors.ts";
import { type BriefEvent, inTime, isOwn } from "../kinds/event.ts";

export interface AskingSession {
  readonly session: string;
  /** How that is known. `unknown`: nothing of it is recorded yet. */
  readonly how: "given" | "newest" | "unknown";
}

interface Asking {
  /** The whole id, or its beginning, as the start of a session shows it. */
  readonly given?: string | undefined;
  /** As events name it. */
  readonly agent: string;
  /** Whether the agent makes up the ids of its sessions, as a loop of one's own does, and no client. */
  readonly namesItsOwn: boolean;
  /** Stands for the session where nothing is known. */
  readonly fallback: string;
}

/** Characters of a session's id that tell it from the others of a project. */
const SHORTEST = 8;

/** An id, of which nothing needs to be recorded yet: as clients make them, or any eight characters with a digit. Other names are guesses. */
const ID = /^(?:[0-9a-f]{8}(?:-|$)|ses_|(?=.*\d).{8})/i;

/** @param events the recent ones, in any order. @throws SentinelError `bad_argument` for a name that no session of the client can have. */
export function askingSession(events: Iterable<BriefEvent>, asking: Asking): AskingSession {
  const newestFirst = inTime(events).reverse();
  const name = asking.given?.trim() ?? "";
  const newest = newestWritten(newestFirst, asking.agent);
  if (name !== "") {
    const alike =
      name.length < SHORTEST ? [] : newestFirst.filter(({ session }) => session.startsWith(name));
    // What was said before its first capture stands under the short id.
    const known =
      alike.find(({ session }) => session !== name) ??
      newestFirst.find(({ session }) => session === name);
    // A loop of one's own that calls itself like a client leaves no transcripts, so nothing of its sessions is known.
    const mayBeGuess = newest !== undefined && !asking.namesItsOwn && !ID.test(name);
    if (!known && mayBeGuess) throw noSuchSession(name, newest);
    return known ? { session: known.session, how: "given" } : { session: name, how: "unknown" };
  }
  return newest === undefined
    ? { session: asking.fallback, how: "unknown" }
    : { session: newest, how: "newest" };
}

/** Of the client's own: a session that only a call named counts for no other call. */
function newestWritten(newestFirst: readonly BriefEvent[], agent: string): string | undefined {
  const ofAgent = newestFirst.filter(
    (event) => isOwn(event) && event.agent.split("/", 1)[0] === agent,
  );
  const written = new Set(ofAgent.filter(isWrittenByClient).map(({ session }) => session));
  return ofAgent.find(({ session }) => written.has(session))?.session;
}

/** No call can say such an event. */
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
