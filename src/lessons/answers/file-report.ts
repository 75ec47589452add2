import { plural, present } from "../../ground/core/text.ts";
import type { FieldRedaction } from "../changes/field-text.ts";
import type { FileReport } from "../format/file-lines.ts";

/** Lists unreadable lines, and conflict markers of a merge. @param isSave whether a save read the file, and repairs it. */
export function fileReport(
  { unrecognised, hasConflictMarkers }: FileReport,
  isSave = false,
): string[] {
  const lines = plural(unrecognised.length, "line");
  const are = unrecognised.length === 1 ? "is not a lesson and is" : "are not lessons and are";
  const named = unrecognised.slice(0, 3).map(({ number, reason }) => `line ${number}: ${reason}`);
  if (unrecognised.length > named.length) {
    named.push("…");
  }
  const where = isSave ? AT_THE_END : ` (${named.join("; ")})`;
  const markers = isSave
    ? "had merge conflict markers. Both sides were read, and this save removed the markers"
    : "has merge conflict markers. Both sides are read, and the next save removes the markers";
  return present(
    unrecognised.length > 0 && `Note: ${lines} of the file ${are} kept${where}.`,
    hasConflictMarkers && `Note: the file ${markers}.`,
  );
}

const AT_THE_END = " at the end of the file. To see why: sentinel-memory check";

/** Lists the kinds and fields of redactions, never a text. Empty without redactions. @param from such as ` in 3 lessons:`, for several lessons. */
export function redactionNotes(redactions: readonly FieldRedaction[], from = ""): string[] {
  if (redactions.length === 0) {
    return [];
  }
  const kinds = redactions.map(({ field, kind, count }) => `${plural(count, kind)} in ${field}`);
  return [`Redacted${from} ${kinds.join(", ")}.`];
}
