/** Orders lessons for people, and for agents that get only a few. Pure. */
import { compare } from "../../ground/core/text.ts";
import { timesMet } from "../format/lesson.ts";
import type { LessonLine } from "../merge/versions.ts";

/** Principles first, then the gaps met most often, then the newest. */
export function mostImportantFirst(a: LessonLine, b: LessonLine): number {
  const met = timesMet(b.version) - timesMet(a.version);
  return principlesFirst(a, b) || met || newestFirst(a, b);
}

export function principlesFirst(a: LessonLine, b: LessonLine): number {
  return Number(b.version.type === "principle") - Number(a.version.type === "principle");
}

/** The last written first. */
export function newestFirst(a: LessonLine, b: LessonLine): number {
  return compare(b.instant, a.instant) || compare(a.raw, b.raw);
}
