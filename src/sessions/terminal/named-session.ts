import { SentinelError } from "../../ground/core/errors.ts";
import { present } from "../../ground/core/present.ts";
import { firstWords, plural } from "../../ground/core/text.ts";
import { safeLine } from "../../ground/terminal/layout.ts";
import { readCaptureState } from "../capture/capture-state.ts";
import { pastSessions } from "../capture/past-sessions.ts";
import { readersOf } from "../capture/readers.ts";
import type { FoundLog, ProjectLog } from "../consent/find-log.ts";
import { summariseSessions } from "../projections/sessions.ts";
import type { EventStore } from "../store.ts";
import { ENOUGH_CHARACTERS, tooLittle } from "./enough-of-id.ts";

const MOST_NAMED = 5;
const GIVE_MORE = `Give the whole id, or its first ${ENOUGH_CHARACTERS} characters or more: sentinel-memory record sessions shows it.`;

/**
 * The whole id of a session that the session log knows, or of which the client has a transcript of this project, for what cannot be undone.
 * @throws SentinelError `not_found`, `ambiguous`; `bad_argument` where little of the id is given.
 */
export async function sessionNamed(
  name: string,
  record: ProjectLog,
  { home, places }: FoundLog,
  store: EventStore,
): Promise<string> {
  const kept = home ? await pastSessions(home, readersOf(places)) : [];
  const here = new Set([
    ...kept.map(({ session }) => session),
    ...record.manifest.skipped,
    ...readCaptureState(record.folder).privateSessions,
  ]);
  if (here.has(name)) return name;
  const sessions = new Set(here);
  for await (const { session } of store.read()) sessions.add(session);
  const session = oneOf(sessions, name);
  if (session !== undefined && session !== name && name.length < ENOUGH_CHARACTERS) throw tooLittle(name, GIVE_MORE);
  if (session !== undefined) return session;
  throw new SentinelError(
    "not_found",
    `No session of this project has the id ${safeLine(name)}, or begins with it; nothing was changed.`,
    "Give an id that sentinel-memory record sessions shows, or its beginning.",
  );
}

/** The session and how it began, so that who takes it out sees that it is the one. @param begun ISO 8601, as its transcript says. */
export async function sessionInShort(session: string, store: EventStore, begun?: string): Promise<string> {
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

/** The one id that is the name, or begins with it. @throws SentinelError `ambiguous`. */
export function oneOf(sessions: ReadonlySet<string>, name: string): string | undefined {
  if (sessions.has(name)) return name;
  const [first, ...others] = name === "" ? [] : [...sessions].filter((session) => session.startsWith(name));
  if (first === undefined || others.length === 0) return first;
  const shown = [first, ...others].slice(0, MOST_NAMED).map(safeLine).join(", ");
  throw new SentinelError(
    "ambiguous",
    `${plural(others.length + 1, "session")} begin with "${safeLine(name)}": ${shown}${others.length < MOST_NAMED ? "" : ", …"}.`,
    "Give more of the id.",
  );
}
