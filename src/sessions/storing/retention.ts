/** What is over its time or its limit. Pure. */
import { DAY_MS } from "../../ground/core/time.ts";
import type { RetentionLimits } from "../store.ts";

/** Days that end before this instant, in ISO 8601, have no events any more; undefined where all stay. */
export function eventsStayFrom({ eventsDays }: RetentionLimits, now: number): string | undefined {
  return eventsDays === undefined ? undefined : new Date(now - eventsDays * DAY_MS).toISOString();
}

/** Of artifacts, the longest unused first, those to remove: beyond their days, then beyond the bytes of all. */
export function artifactsOver<A extends { readonly bytes: number; readonly usedAt: number }>(
  artifacts: readonly A[],
  { artifactsDays, artifactsBytes }: RetentionLimits,
  now: number,
): A[] {
  let bytes = artifacts.reduce((sum, artifact) => sum + artifact.bytes, 0);
  return artifacts.filter((artifact) => {
    const isOver = artifact.usedAt < now - artifactsDays * DAY_MS || bytes > artifactsBytes;
    if (isOver) bytes -= artifact.bytes;
    return isOver;
  });
}
