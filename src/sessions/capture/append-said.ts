import { SentinelError } from "../../ground/core/errors.ts";
import { branchOf } from "../../ground/project/git.ts";
import { noteFormat } from "../consent/change-log.ts";
import { type ProjectLog, readConsent } from "../consent/find-log.ts";
import { mayRecord } from "../consent/manifest.ts";
import type { Event, EventDraft, Place } from "../kinds/event.ts";
import type { EventStore } from "../store.ts";
import { readCaptureState } from "./capture-state.ts";

/** The place of an event that isn't in any transcript. @param cwd the project's folder. */
export async function placeOf(cwd: string): Promise<Place> {
  const branch = await branchOf(cwd);
  return branch === undefined ? { cwd } : { cwd, branch };
}

/** Appends an event if the user agreed to recording. @returns undefined if it was purged earlier. @throws SentinelError `not_recorded`, and the errors of an append. */
export async function appendSaid(
  store: Pick<EventStore, "append">,
  record: ProjectLog,
  draft: EventDraft,
): Promise<Event | undefined> {
  await noteFormat(record);
  const now = Date.now();
  const manifest = readConsent(record);
  if (!manifest) throw notRecorded();
  const { privateSessions } = readCaptureState(record.folder);
  const excluded = [...manifest.skipped, ...privateSessions];
  const isExcluded = excluded.some((session) => session.startsWith(draft.session));
  if (isExcluded || !mayRecord(manifest, { at: now, session: draft.session }))
    throw new SentinelError(
      "not_recorded",
      "The user excluded this session from the session log. Nothing was stored.",
      "Go on without it.",
    );
  const [event] = await store.append([{ ...draft, ts: new Date(now).toISOString() }]);
  return event;
}

export function notRecorded(): SentinelError {
  return new SentinelError(
    "not_recorded",
    "Sessions of this project are not recorded, so there is nothing to look up and nothing was stored.",
    "Go on without it. The user can turn recording on in the project's folder: sentinel-memory sessions on",
  );
}
