/** What a person sees at the start of a session that is recorded. */
import type { Payload } from "../clients/hook-event.ts";
import { findRecord } from "../project/record/find-record.ts";
import type { Environment } from "../project/record/places.ts";

const NOTICE =
  "Sentinel Memory records this session, on this machine only. sentinel-memory record skip leaves it out, record off ends it.";

/** Whether the person gets the notice at an event; in a session that goes on after a compaction it was given before. */
export function isRecordingSaid(payload: Payload): boolean {
  return payload.text("hook_event_name") === "SessionStart" && payload.text("source") !== "compact";
}

/** The JSON that shows the notice to the person, and not to the model; undefined where nothing is recorded. */
export async function recordingNotice(folder: string, env: Environment): Promise<object | undefined> {
  const { status } = await findRecord(folder, env);
  return status === "on" ? { systemMessage: NOTICE } : undefined;
}
