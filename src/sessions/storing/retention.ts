/** Decides what retention removes. Pure. */
import { DAY_MS, dateOf } from "../../ground/core/time.ts";
import type { RetentionLimits } from "../store.ts";

/** Earlier days, in UTC, lose their events. Empty if all events stay. */
export function firstDayToKeep({ eventsDays }: RetentionLimits, now: number): string {
  return eventsDays === undefined ? "" : dateOf(new Date(now - eventsDays * DAY_MS).toISOString());
}

/** The artifacts to remove: those beyond their days, then the first ones beyond the bytes of all. @param artifacts the longest unused first. */
export function artifactsOver<A extends { readonly bytes: number; readonly usedAt: number }>(
  artifacts: readonly A[],
  { artifactsDays, artifactsBytes }: RetentionLimits,
  now: number,
): A[] {
  let bytes = artifacts.reduce((sum, artifact) => sum + artifact.bytes, 0);
  const over: A[] = [];
  for (const artifact of artifacts) {
    if (artifact.usedAt >= now - artifactsDays * DAY_MS && bytes <= artifactsBytes) continue;
    over.push(artifact);
    bytes -= artifact.bytes;
  }
  return over;
}
