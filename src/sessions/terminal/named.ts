/** Finds events and sessions by an id or a part of one. */
import { SentinelError } from "../../ground/core/errors.ts";
import { firstWords, plural, present } from "../../ground/core/text.ts";
import { safeLine } from "../../ground/terminal/layout.ts";
import { readCaptureState } from "../capture/capture-state.ts";
import { pastSessions } from "../capture/past-sessions.ts";
import { foldersOf, readersOf } from "../capture/sources.ts";
import { type Event, eventText, SHORT_LENGTH, shortEventId } from "../kinds/event.ts";
import { summariseSessions } from "../projections/sessions.ts";
import type { EventStore } from "../store.ts";
import { eventNamed as eventIdIn, ownOfEachId } from "../storing/named-ids.ts";
import type { Recorded } from "./project-log.ts";

const PREFIX = "evt_";
const CHUNK = "chk_";
const MOST_NAMED = 5;
/** The fewest characters for removals, because a typo must not match. */
const ENOUGH_CHARACTERS = 6;

/** Whether a name can only refer to an event or a chunk. */
export const isEventName = (name: string): boolean =>
  name.startsWith(PREFIX) || name.startsWith(CHUNK);

/** Finds an event by its id, its short id, or the beginning or end of it. @throws SentinelError `not_found`, `ambiguous`. */
export async function eventNamed(store: EventStore, name: string): Promise<Event> {
  const exact = ownOfEachId(await store.find([eventIdIn(name)]));
  const [event, ...others] = exact.length > 0 ? exact : await eventsLike(store, name);
  if (!event)
    throw new SentinelError(
      "not_found",
      `The session log has no event ${safeLine(name)}.`,
      "Give an id that sentinel-memory sessions show SESSION shows; one that was purged is gone.",
    );
  if (others.length === 0) return event;
  const named = [event, ...others].map(
    ({ id, ts, kind, person }) => `${id} (${present(kind, person, ts.slice(0, 19)).join(", ")})`,
  );
  throw ambiguous(
    `${plural(named.length, "event")} have ids that begin or end like ${safeLine(name)}: ${firstOf(named)}.`,
    "Give more of the id. If the ids are the same, search for the words.",
  );
}

async function eventsLike(store: EventStore, name: string): Promise<readonly Event[]> {
  const part = name.slice(PREFIX.length).replaceAll("…", "").toUpperCase();
  const named = new Map<string, Event>();
  if (part === "") return [];
  for await (const event of store.read()) {
    const rest = event.id.slice(PREFIX.length);
    // A short id is the end of the whole id.
    if (rest.startsWith(part) || rest.endsWith(part) || rest.slice(-SHORT_LENGTH).startsWith(part))
      named.set(event.id, event);
  }
  return [...named.values()];
}

/** Like `eventNamed`, for removals. @throws SentinelError also `bad_argument` if too little of the id is given. */
export async function eventToRemove(store: EventStore, name: string): Promise<Event> {
  const event = await eventNamed(store, name);
  if (name.length >= PREFIX.length + ENOUGH_CHARACTERS) return event;
  const fix = `Give ${ENOUGH_CHARACTERS} characters or more behind ${PREFIX}: sentinel-memory sessions show SESSION shows them.`;
  throw tooLittle(name, fix);
}

/** The event and its first words, so the user can confirm that it's the right one. */
export function eventInShort(event: Event): string {
  const words = firstWords(eventText(event));
  const label = `${event.kind.replaceAll("_", " ")}, ${event.ts}`;
  return `${shortEventId(event.id)} (${label})${words === "" ? "" : `: "${safeLine(words)}"`}`;
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
  if (sessions.has(name)) return name;
  for await (const { session } of store.read()) sessions.add(session);
  const session = oneOf(sessions, name);
  if (session === undefined)
    throw new SentinelError(
      "not_found",
      `No session of this project has the id ${safeLine(name)}, or begins with it; nothing was changed.`,
      "Give an id that sentinel-memory sessions list shows, or its beginning.",
    );
  if (session === name || name.length >= ENOUGH_CHARACTERS) return session;
  const fix = `Give the whole id, or its first ${ENOUGH_CHARACTERS} characters or more: sentinel-memory sessions list shows it.`;
  throw tooLittle(name, fix);
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
  const alike = name === "" ? [] : [...sessions].filter((session) => session.startsWith(name));
  if (sessions.has(name) || alike.length < 2) return sessions.has(name) ? name : alike[0];
  const what = `${plural(alike.length, "session")} begin with "${safeLine(name)}": ${firstOf(alike.map(safeLine))}.`;
  throw ambiguous(what, "Give more of the id.");
}

const ambiguous = (what: string, fix: string) => new SentinelError("ambiguous", what, fix);

function firstOf(names: readonly string[]): string {
  return `${names.slice(0, MOST_NAMED).join(", ")}${names.length > MOST_NAMED ? ", …" : ""}`;
}

/** @param fix the command to use instead. */
function tooLittle(name: string, fix: string): SentinelError {
  const what = `"${safeLine(name)}" is too little of an id for what cannot be undone; nothing was changed.`;
  return new SentinelError("bad_argument", what, fix);
}
