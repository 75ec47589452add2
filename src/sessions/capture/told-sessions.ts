/** Sessions as hooks report them. Cursor's transcripts name no folder, those of older versions no time, and VS Code's can be anywhere. */
import { basename, isAbsolute } from "node:path";
import type { Payload } from "../../ground/clients/hook-event.ts";
import { vscodeProtocol } from "../../ground/clients/vscode.ts";
import { known } from "../transcripts/fields.ts";
import { cursorReader, vscodeReader } from "../transcripts/readers.ts";
import type { ToldSession } from "../transcripts/transcript.ts";

/** By session, the last reported at the end. */
export type ToldSessions = Readonly<Record<string, ToldSession>>;

const MOST_SESSIONS = 200;

/** @param now when the payload arrived, in ms since 1970. @returns no session for another client's payload, or one without a folder. */
export function toldBy(payload: Payload, now: number): ToldSessions {
  return vscodeProtocol.sent(payload) ? toldByVscode(payload) : toldByCursor(payload, now);
}

function toldByVscode(payload: Payload): ToldSessions {
  const transcript = payload.text("transcript_path");
  const folder = payload.text("cwd");
  if (!isAbsolute(folder)) return {};
  return { [basename(transcript, ".jsonl")]: { agent: vscodeReader.agent, folder, transcript } };
}

function toldByCursor(payload: Payload, now: number): ToldSessions {
  const session = payload.text("conversation_id");
  const folder = payload.inner("workspace_roots").text("0");
  if (session === "" || !isAbsolute(folder)) return {};
  const transcript = payload.text("transcript_path") || undefined;
  // A session that is resumed has a transcript when it starts, with earlier lines.
  const isNew = payload.text("hook_event_name") === "sessionStart" && transcript === undefined;
  const began = isNew ? new Date(now).toISOString() : undefined;
  return { [session]: { agent: cursorReader.agent, folder, ...known({ began, transcript }) } };
}

/** Adds the newer reports, but keeps the earliest beginning of each session. */
export function withTold(before: ToldSessions, added: ToldSessions): ToldSessions {
  const all = new Map(Object.entries(before));
  for (const [session, told] of Object.entries(added)) {
    const earlier = all.get(session);
    all.delete(session);
    all.set(session, { ...earlier, ...told, ...known({ began: earlier?.began ?? told.began }) });
  }
  return Object.fromEntries([...all].slice(-MOST_SESSIONS));
}
