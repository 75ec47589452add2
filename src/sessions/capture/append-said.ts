import { SentinelError } from "../../ground/core/errors.ts";
import { branchOf } from "../../ground/project/git.ts";
import { noteWriter } from "../consent/change-log.ts";
import { type FoundLog, type ProjectLog, readConsent } from "../consent/find-log.ts";
import { mayRecord } from "../consent/manifest.ts";
import type { Event, EventDraft, Place } from "../kinds/event.ts";
import type { EventStore } from "../store.ts";
import { readCaptureState } from "./capture-state.ts";

/** Where something is said that no client wrote down. @param cwd the project's folder. */
export async function placeOf(cwd: string): Promise<Place> {
  const branch = await branchOf(cwd);
  return { cwd, ...(branch !== undefined && { branch }) };
}

/** Asks for consent first. @returns the event as stored; undefined where it was purged earlier. @throws SentinelError `not_recorded`, and as an append. */
export async function appendSaid(
  store: Pick<EventStore, "append">,
  record: ProjectLog,
  found: FoundLog,
  draft: EventDraft,
): Promise<Event | undefined> {
  await noteWriter(record, found);
  const now = Date.now();
  const manifest = readConsent(record);
  if (!manifest) throw notRecorded();
  const { privateSessions } = readCaptureState(record.folder);
  const skipped = [...manifest.skipped, ...privateSessions].find((session) =>
    session.startsWith(draft.session),
  );
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
    "Go on without it. A person turns recording on, in the project's folder: sentinel-memory sessions on",
  );
}
