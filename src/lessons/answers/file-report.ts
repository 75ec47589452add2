import { plural, present } from "../../ground/core/text.ts";
import type { FieldRedaction } from "../changes/field-text.ts";
import type { FileReport } from "../format/file-lines.ts";

/** Lists unreadable lines, and conflict markers of a merge. */
export function fileReport(report: FileReport): string[] {
  const named = report.unrecognised
    .slice(0, 3)
    .map(({ number, reason }) => `line ${number}: ${reason}`);
  const more = report.unrecognised.length > named.length ? "; …" : "";
  return notLessons(
    report,
    ` (${named.join("; ")}${more})`,
    "has merge conflict markers. Both sides are read, and the next save removes the markers",
  );
}

/** Lists the repairs that a save made. @param report on the file before the save. */
export function saveReport(report: FileReport): string[] {
  const where = " at the end of the file. To see why: sentinel-memory check";
  return notLessons(
    report,
    where,
    "had merge conflict markers. Both sides were read, and this save removed the markers",
  );
}

function notLessons(
  { unrecognised, hasConflictMarkers }: FileReport,
  kept: string,
  markers: string,
): string[] {
  const lines = plural(unrecognised.length, "line");
  const are = unrecognised.length === 1 ? "is not a lesson and is" : "are not lessons and are";
  return present(
    unrecognised.length > 0 && `Note: ${lines} of the file ${are} kept${kept}.`,
    hasConflictMarkers && `Note: the file ${markers}.`,
  );
}

/** Lists the kinds and fields of redactions, never a text. Empty without redactions. @param from such as ` in 3 lessons:`, for several lessons. */
export function redactionNotes(redactions: readonly FieldRedaction[], from = ""): string[] {
  if (redactions.length === 0) return [];
  const kinds = redactions.map(({ field, kind, count }) => `${plural(count, kind)} in ${field}`);
  return [`Redacted${from} ${kinds.join(", ")}.`];
}
