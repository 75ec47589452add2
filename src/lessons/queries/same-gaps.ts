import { groupBy } from "../../ground/core/group-by.ts";
import { formOf } from "../format/forms.ts";
import type { LessonLine } from "../merge/versions.ts";

/** Lessons that are one gap but for case, white space, final punctuation or Unicode form, as after a merge; a set each. */
export function sameGaps(lines: readonly LessonLine[]): (readonly LessonLine[])[] {
  const logs = lines.filter(({ version }) => version.type === "log");
  return [...groupBy(logs, ({ version }) => formOf(version)).values()].filter((same) => same.length > 1);
}
