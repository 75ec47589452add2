import { instantOfAge } from "../../ground/core/time.ts";
import type { Lesson } from "../format/lesson.ts";
import type { LessonLine } from "../merge/versions.ts";

/** The restrictions of a search. */
interface Narrowing {
  readonly type?: Lesson["type"] | undefined;
  /** An age or a date. Lessons must have been written or met since then. */
  readonly since?: string | undefined;
}

/** A filter for the lessons of a search. Undefined for all. @param now in ms since 1970. @throws SentinelError `bad_argument` */
export function narrowing(
  { type, since }: Narrowing,
  now: number,
): ((line: LessonLine) => boolean) | undefined {
  if (type === undefined && since === undefined) return undefined;
  const earliest = since === undefined ? Number.NEGATIVE_INFINITY : instantOfAge(since, now);
  return ({ version, instant }) =>
    (type === undefined || version.type === type) && instant >= earliest;
}
