/** The part of the session log that a server or a hook loads at the first call that needs it. */
import {
  type LogParts,
  type OpenRecording,
  openRecordings as open,
} from "../../sessions/tools/recording.ts";
import { openEvents } from "./open-events.ts";

export { SESSION_TOOLS } from "../../sessions/tools/tools.ts";
export { answerSessionHook } from "./record-hook.ts";

/** The session log of a project. @param startedAt of the server, in ms since 1970. */
export const openRecordings = (
  of: Omit<LogParts, "openEvents">,
  startedAt: number,
): OpenRecording => open({ ...of, openEvents }, startedAt);
