import { tryOr } from "../../ground/core/errors.ts";
import { type ProjectLog, readConsent } from "../consent/find-log.ts";
import { mayRecord } from "../consent/manifest.ts";
import { GivenBundles, type KeepBundle } from "../files/given-bundles.ts";
import { readCaptureState } from "./capture-state.ts";

/**
 * Call it before a bundle is built. @returns a function that saves the bundle for later lookups, unless recording is off, the session is
 * excluded or the session log is at a daemon. Ignores a failed write, because the bundle itself is the answer.
 */
export function beginKeeping(record: ProjectLog): KeepBundle {
  if (record.manifest.daemon) return () => undefined;
  const keep = new GivenBundles(record.folder).begin();
  return (bundle, query, now) => {
    const { session } = bundle.provenance;
    const manifest = readConsent(record);
    const isPrivate = readCaptureState(record.folder).privateSessions.includes(session);
    if (!manifest || isPrivate || !mayRecord(manifest, { at: now, session })) return;
    tryOr(() => keep(bundle, query, now), undefined);
  };
}
