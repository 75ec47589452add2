import { tryOr } from "../../ground/core/errors.ts";
import { type ProjectLog, readConsent } from "../consent/find-log.ts";
import { GivenBundles, type KeepBundle } from "../files/given-bundles.ts";
import { mayStoreNow } from "./append-said.ts";

/**
 * Call it before a bundle is built. @returns a function that saves the bundle for later lookups, unless recording is off, the session is
 * excluded or the session log is at a daemon. Ignores a failed write, because the bundle itself is the answer.
 */
export function beginKeeping(record: ProjectLog): KeepBundle {
  if (record.manifest.daemon) return () => undefined;
  const keep = new GivenBundles(record.folder).begin();
  return (bundle, query, now) => {
    const { session } = bundle.provenance;
    const consent = readConsent(record);
    if (!consent || !mayStoreNow(record, consent, session, now)) return;
    tryOr(() => keep(bundle, query, now), undefined);
  };
}
