import { SentinelError } from "../../ground/core/errors.ts";
import { type ProjectLog, readConsent } from "../consent/find-log.ts";
import { mayRecord } from "../consent/manifest.ts";
import type { Event, EventDraft } from "../kinds/event.ts";
import type { EventStore } from "../store.ts";
import { readCaptureState } from "./capture-state.ts";

/** The event as stored; undefined where it was purged earlier. @param now in ms since 1970. @throws SentinelError `not_recorded`, and as an append. */
export async function appendSaid(
  store: Pick<EventStore, "append">,
  record: Pick<ProjectLog, "folder" | "id">,
  draft: EventDraft,
  now: number,
): Promise<Event | undefined> {
  const manifest = readConsent(record);
  if (!manifest) throw notRecorded();
  const { privateSessions } = readCaptureState(record.folder);
  const skipped = [...manifest.skipped, ...privateSessions].find((session) => session.startsWith(draft.session));
  if (skipped !== undefined || !mayRecord(manifest, { at: now, session: draft.session }))
    throw new SentinelError(
      "not_recorded",
      "This session is left out of the session log, as the user wants it. Nothing was stored.",
      "Go on without it.",
    );
  const [event] = await store.append([{ ...draft, ts: new Date(now).toISOString() }]);
  return event;
}

export function notRecorded(): SentinelError {
  return new SentinelError(
    "not_recorded",
    "Sessions of this project are not recorded, so there is nothing to look up and nothing was stored.",
    "Go on without it. A person turns recording on, in the project's folder: sentinel-memory record on",
  );
}
