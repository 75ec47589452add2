/** What hooks of Cursor told of sessions: its transcripts name no folder, and those of older versions no time. */
import { isAbsolute } from "node:path";
import type { Payload } from "../../ground/clients/hook-event.ts";
import { known } from "../transcripts/fields.ts";
import type { ToldSession } from "../transcripts/transcript.ts";

/** By session, the one that was told of last at the end. */
export type ToldSessions = Readonly<Record<string, ToldSession>>;

const MOST_SESSIONS = 200;

/** @param now when the payload arrived, in ms since 1970. @returns no session for a payload that names none, or no folder. */
export function toldBy(payload: Payload, now: number): ToldSessions {
  const session = payload.text("conversation_id");
  const folder = payload.inner("workspace_roots").text("0");
  if (session === "" || !isAbsolute(folder)) return {};
  const transcript = payload.text("transcript_path") || undefined;
  // A session that goes on has a transcript when it starts, with lines from before.
  const isNew = payload.text("hook_event_name") === "sessionStart" && transcript === undefined;
  const began = isNew ? new Date(now).toISOString() : undefined;
  return { [session]: { folder, ...known({ began, transcript }) } };
}

/** Adds what was told last; the beginning of a session stays as it was told first. */
export function withTold(before: ToldSessions, added: ToldSessions): ToldSessions {
  const all = new Map(Object.entries(before));
  for (const [session, told] of Object.entries(added)) {
    const earlier = all.get(session);
    all.delete(session);
    all.set(session, { ...earlier, ...told, ...known({ began: earlier?.began ?? told.began }) });
  }
  return Object.fromEntries([...all].slice(-MOST_SESSIONS));
}
