/** Reads facts from hooks that transcripts don't contain: the sessions of Cursor and VS Code, and the results of Cursor's commands. */
import { basename, isAbsolute } from "node:path";
import { cursorProtocol } from "../../ground/clients/cursor.ts";
import type { Payload } from "../../ground/clients/hook-event.ts";
import { vscodeProtocol } from "../../ground/clients/vscode.ts";
import type { Content, EventDraft } from "../kinds/event.ts";
import { cursorReader } from "../transcripts/cursor.ts";
import { jsonIn, textOf } from "../transcripts/fields.ts";
import type { ToldSession } from "../transcripts/transcript.ts";
import { vscodeReader } from "../transcripts/vscode.ts";

/** Reports by session, the latest at the end. */
export type ToldSessions = Readonly<Record<string, ToldSession>>;

const MOST_SESSIONS = 200;

/** @param now when the payload arrived, in ms since 1970. @returns no session for another client's payload, or one without a folder. */
export function toldBy(payload: Payload, now: number): ToldSessions {
  return vscodeProtocol.sent(payload) ? toldByVscode(payload) : toldByCursor(payload, now);
}

function toldByVscode(payload: Payload): ToldSessions {
  const transcript = payload.text("transcript_path");
  const folder = payload.text("cwd");
  if (!isAbsolute(folder)) {
    return {};
  }
  const session = basename(transcript, ".jsonl");
  return { [session]: { agent: vscodeReader.agent, folder, transcript } };
}

function toldByCursor(payload: Payload, now: number): ToldSessions {
  const session = payload.text("conversation_id");
  const folder = payload.inner("workspace_roots").text("0");
  if (session === "" || !isAbsolute(folder)) {
    return {};
  }
  const transcript = payload.text("transcript_path") || undefined;
  // A resumed session already has a transcript with earlier lines when it starts.
  const isNew = payload.text("hook_event_name") === "sessionStart" && transcript === undefined;
  const began = isNew ? new Date(now).toISOString() : undefined;
  return { [session]: { agent: cursorReader.agent, folder, began, transcript } };
}

/** Adds the newer reports, but keeps the earliest beginning of each session. */
export function withTold(before: ToldSessions, added: ToldSessions): ToldSessions {
  const all = new Map(Object.entries(before));
  for (const [session, told] of Object.entries(added)) {
    const earlier = all.get(session);
    const began = earlier?.began ?? told.began;
    const transcript = told.transcript ?? earlier?.transcript;
    all.delete(session);
    all.set(session, { ...told, began, transcript });
  }
  return Object.fromEntries([...all].slice(-MOST_SESSIONS));
}

/** The result of a command in a hook's payload. Undefined for any other payload. */
export function outcomeToldBy(payload: Payload): EventDraft | undefined {
  const kind = cursorProtocol.sent(payload) ? cursorProtocol.read(payload)?.kind : undefined;
  if (kind !== "result" && kind !== "failure") {
    return undefined;
  }
  const session = payload.text("conversation_id");
  if (session === "") {
    return undefined;
  }
  const call = payload.text("tool_use_id");
  return {
    session,
    agent: cursorReader.agent,
    actor: { type: "tool", id: "tool.Shell" },
    kind: "tool_result",
    content: resultIn(payload),
    key: call === "" ? undefined : `cursor ${session} ${call}`,
  };
}

function resultIn(payload: Payload): Content {
  const command = payload.inner("tool_input").text("command");
  const answer = jsonIn(payload.text("tool_output"));
  const text = textOf(answer.output) ?? payload.text("error_message");
  const hasError = payload.text("error_message") !== "";
  const hasFailed = hasError || Number(answer.exitCode ?? 0) !== 0;
  const outcome = hasFailed ? "failed" : undefined;
  return { tool: "Shell", command, text, outcome };
}
