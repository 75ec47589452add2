/** The order of a lesson's versions: timestamps in ms since 1970. A text that is none is the oldest, so it hides no sound line. */
import type { Meta } from "./lesson.ts";

export const OLDEST = Number.NEGATIVE_INFINITY;

const TIMESTAMP = /^(?:\d{4}|\+\d{6})-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(Z|[+-]\d\d:?\d\d)?$/;

/** The last instant that is readable, in ms, and that is ever written; the platform's own is 8.64e15. */
const LAST = 8.6e15;

/** The revision of a version: when it was last written. */
export const revisionOf = (meta: Meta): string => meta.updated ?? meta.created;

/** The instant a revision names, in ms; a time without a zone is read as UTC, so it means the same on every machine. */
export function instantOf(revision: string): number {
  const zone = TIMESTAMP.exec(revision);
  if (!zone) return OLDEST;
  const instant = Date.parse(zone[1] === undefined ? `${revision}Z` : revision);
  return instant <= LAST ? instant : OLDEST;
}

/** Whether a revision comes after another. One instant may be written in two ways; then the texts decide, the same in every copy of a file. */
export function isLater(a: string, b: string): boolean {
  const [x, y] = [instantOf(a), instantOf(b)];
  return x > y || (x === y && a > b);
}

/**
 * The latest of: now, and 1 ms past everything that was seen (docs/design/lessons.md, "The file": a slow clock never hides a later write). After
 * the last instant there is none: a lesson that somebody dated so is forgotten or purged at that one, where a tombstone wins.
 */
export function nextRevision(now: number, seen: Iterable<number>): string {
  let instant = now;
  for (const other of seen) if (other >= instant) instant = other + 1;
  return new Date(Math.min(instant, LAST)).toISOString();
}
