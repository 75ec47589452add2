/** Which lessons an agent should get where there is room for a few. Pure. */
import { timesMet } from "../format/lesson.ts";
import type { LessonLine } from "../merge/versions.ts";

/** Principles first, then what was met most often, then the newest. */
export function mostImportantFirst(a: LessonLine, b: LessonLine): number {
  const principles = Number(b.version.type === "principle") - Number(a.version.type === "principle");
  const met = timesMet(b.version) - timesMet(a.version);
  return principles || met || (a.instant === b.instant ? (a.raw < b.raw ? -1 : 1) : b.instant > a.instant ? 1 : -1);
}
