/** What a server, or a hook, loads of the session log once it is asked for. */
import { type LogParts, Recordings } from "../../sessions/tools/recording.ts";
import { openEvents } from "./open-events.ts";

export { SESSION_TOOLS } from "../../sessions/tools/tools.ts";
export { answerSessionHook } from "./record-hook.ts";

/** The session log of a project. @param startedAt of the server, in ms since 1970. */
export const openRecordings = (of: Omit<LogParts, "openEvents">, startedAt: number): Recordings =>
  new Recordings({ ...of, openEvents }, startedAt);
