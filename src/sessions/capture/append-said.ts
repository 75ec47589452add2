import { type Problem, tryOr } from "../../ground/core/errors.ts";
import { branchOf } from "../../ground/project/git.ts";
import { noteFormat } from "../consent/change-log.ts";
import {
  type LogManifest,
  mayRecord,
  notRecorded,
  type ProjectLog,
  readConsent,
} from "../consent/find-log.ts";
import { GivenBundles, type KeepBundle } from "../files/given-bundles.ts";
import type { Event, EventDraft, Place } from "../kinds/event.ts";
import type { EventStore } from "../store.ts";
import { readCaptureState } from "./capture-state.ts";

/** The place of an event that isn't in any transcript. @param cwd the project's folder. */
export async function placeOf(cwd: string): Promise<Place> {
  return { cwd, branch: await branchOf(cwd) };
}

/** Appends an event if the user agreed to recording. @returns undefined if it was purged earlier. @throws SentinelError `not_recorded`, and the errors of an append. */
export async function appendSaid(
  store: Pick<EventStore, "append">,
  record: ProjectLog,
  draft: EventDraft,
): Promise<Event | undefined> {
  await noteFormat(record);
  const now = Date.now();
  const consent = readConsent(record);
  if (!consent) {
    throw notRecorded(NOTHING_RECORDED);
  }
  if (!mayStoreNow(record, consent, draft.session, now)) {
    throw notRecorded({
      what: "The user excluded this session from the session log. Nothing was stored.",
      fix: "Go on without it.",
    });
  }
  const ts = new Date(now).toISOString();
  const [event] = await store.append([{ ...draft, ts }]);
  return event;
}

/** Whether the user agreed to record a statement of a session. @param session its id, or the beginning of it. @param now in ms since 1970. */
function mayStoreNow(
  { folder }: ProjectLog,
  consent: LogManifest,
  session: string,
  now: number,
): boolean {
  const excluded = [...consent.skipped, ...readCaptureState(folder).privateSessions];
  const isExcluded = excluded.some((one) => one.startsWith(session));
  return !isExcluded && mayRecord(consent, { at: now, session });
}

export const NOTHING_RECORDED: Problem = {
  what: "Sessions of this project are not recorded, so there is nothing to look up and nothing was stored.",
  fix: "Go on without it. The user can turn recording on in the project's folder: sentinel-memory sessions on",
};

/**
 * Call it before a bundle is built. @returns a function that saves the bundle for later lookups, unless recording is off, the session is
 * excluded or the session log is at a daemon. Ignores a failed write, because the bundle itself is the answer.
 */
export function beginKeeping(record: ProjectLog): KeepBundle {
  if (record.manifest.daemon) {
    return () => undefined;
  }
  const keep = new GivenBundles(record.folder).begin();
  return (bundle, query, now) => {
    const { session } = bundle.provenance;
    const consent = readConsent(record);
    if (!consent || !mayStoreNow(record, consent, session, now)) {
      return;
    }
    tryOr(() => keep(bundle, query, now), undefined);
  };
}
