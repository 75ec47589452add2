/** Which session asks: no client tells its server, so the agent says it, or the newest of its client counts. Pure. */
import { type BriefEvent, inTime } from "./brief-event.ts";

export interface AskingSession {
  readonly session: string;
  /** How that is known. `unknown`: nothing of it is recorded yet. */
  readonly how: "given" | "newest" | "unknown";
}

export interface Asking {
  /** The whole id, or its beginning, as the start of a session shows it. */
  readonly given?: string | undefined;
  /** As events name it. */
  readonly agent: string;
  /** Stands for the session where nothing is known. */
  readonly fallback: string;
}

/** Characters of a session's id that tell it from the others of a project. */
const SHORTEST = 8;

/** @param events the recent ones, in any order. */
export function askingSession(events: Iterable<BriefEvent>, { given, agent, fallback }: Asking): AskingSession {
  const newestFirst = inTime(events).reverse();
  const name = given?.trim() ?? "";
  if (name !== "") {
    const alike = name.length < SHORTEST ? [] : newestFirst.filter(({ session }) => session.startsWith(name));
    // What was said before its first capture stands under the short id.
    const known = alike.find(({ session }) => session !== name) ?? newestFirst.find(({ session }) => session === name);
    return known ? { session: known.session, how: "given" } : { session: name, how: "unknown" };
  }
  const newest = newestFirst.find((event) => event.agent.split("/", 1)[0] === agent);
  return newest ? { session: newest.session, how: "newest" } : { session: fallback, how: "unknown" };
}
