/** Tells ids of events from those of sessions, and finds sessions by an id or its beginning. */
import { SentinelError } from "../../ground/core/errors.ts";
import { firstWords, plural, present } from "../../ground/core/text.ts";
import { safeLine } from "../../ground/terminal/layout.ts";
import { readCaptureState } from "../capture/capture-state.ts";
import { pastSessions } from "../capture/past-sessions.ts";
import { foldersOf, readersOf } from "../capture/sources.ts";
import { type Event, eventText, shortEventId } from "../kinds/event.ts";
import { summariseSessions } from "../projections/sessions.ts";
import type { EventStore } from "../store.ts";
import type { Recorded } from "./project-log.ts";

const PREFIX = "evt_";
const CHUNK = "chk_";
const MOST_NAMED = 5;
/** The fewest characters of a session for removals, because a typo must not match. */
const ENOUGH_CHARACTERS = 6;

/** Whether a name can only refer to an event or a chunk. */
export const isEventName = (name: string): boolean =>
  name.startsWith(PREFIX) || name.startsWith(CHUNK);

/** The event and its first words, so the user can confirm that it's the right one. */
export function eventInShort(event: Event): string {
  const words = firstWords(eventText(event));
  const head = `${shortEventId(event.id)} (${event.kind.replaceAll("_", " ")}, ${event.ts})`;
  return words === "" ? head : `${head}: "${safeLine(words)}"`;
}

/**
 * The whole id of a session in the log or in a transcript. @throws SentinelError `not_found`, `ambiguous`, `bad_argument` if too little is
 * given.
 */
export async function sessionToRemove(
  store: EventStore,
  name: string,
  { record, home, places }: Recorded,
): Promise<string> {
  const kept = await pastSessions(foldersOf(record, home), readersOf(places));
  const sessions = new Set([
    ...kept.map(({ session }) => session),
    ...record.manifest.skipped,
    ...readCaptureState(record.folder).privateSessions,
  ]);
  if (sessions.has(name)) {
    return name;
  }
  for await (const { session } of store.read()) {
    sessions.add(session);
  }
  const session = oneOf(sessions, name);
  if (session === undefined) {
    throw new SentinelError(
      "not_found",
      `No session of this project has the id ${safeLine(name)}, or begins with it; nothing was changed.`,
      "Give an id that sentinel-memory sessions list shows, or its beginning.",
    );
  }
  if (session === name || name.length >= ENOUGH_CHARACTERS) {
    return session;
  }
  throw new SentinelError(
    "bad_argument",
    `"${safeLine(name)}" is too little of an id for what cannot be undone; nothing was changed.`,
    `Give the whole id, or its first ${ENOUGH_CHARACTERS} characters or more: sentinel-memory sessions list shows it.`,
  );
}

/** The session and its beginning, so the user can confirm that it's the right one. @param begun from its transcript, ISO 8601. */
export async function sessionInShort(
  session: string,
  store: EventStore,
  begun?: string,
): Promise<string> {
  const [summary] = await summariseSessions(store.read({ session }));
  const began = summary?.began ?? begun;
  const words = summary?.title ?? summary?.plan ?? summary?.request;
  return present(
    `Session ${safeLine(session)}`,
    began && `, begun ${safeLine(began)}`,
    !summary && ", of which nothing is recorded yet",
    words && `: "${firstWords(words)}"`,
  ).join("");
}

/** The id that equals the name or is the only one that begins with it. @throws SentinelError `ambiguous`. */
export function oneOf(sessions: ReadonlySet<string>, name: string): string | undefined {
  if (sessions.has(name)) {
    return name;
  }
  if (name === "") {
    return undefined;
  }
  const alike = [...sessions].filter((session) => session.startsWith(name));
  if (alike.length < 2) {
    return alike[0];
  }
  const named = alike.slice(0, MOST_NAMED).map(safeLine);
  const more = alike.length > MOST_NAMED ? ", …" : "";
  throw new SentinelError(
    "ambiguous",
    `${plural(alike.length, "session")} begin with "${safeLine(name)}": ${named.join(", ")}${more}.`,
    "Give more of the id.",
  );
}
