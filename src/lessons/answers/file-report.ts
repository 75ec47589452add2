import { plural, present } from "../../ground/core/text.ts";
import type { FileReport, Repairs } from "../format/file-lines.ts";
import type { Snapshot } from "../merge/fold.ts";
import { areSeveral } from "../merge/versions.ts";

/** Lists the lines of the file that are not lessons, and the repairs of the next save. Empty if there are none. */
export function fileReport(snapshot: Snapshot, report: FileReport): string[] {
  const repaired = toBeRepaired(snapshot, report.repairs);
  if (repaired.length === 0) return unrecognisedLines(report);
  return [
    ...unrecognisedLines(report),
    `Note: still read, and repaired by the next save: ${repaired.join(", ")}.`,
  ];
}

/** Lists unreadable lines, and conflict markers of a merge. */
export function unrecognisedLines(report: FileReport): string[] {
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
  { unrecognised, repairs }: FileReport,
  kept: string,
  markers: string,
): string[] {
  const lines = plural(unrecognised.length, "line");
  const are = unrecognised.length === 1 ? "is not a lesson and is" : "are not lessons and are";
  return present(
    unrecognised.length > 0 && `Note: ${lines} of the file ${are} kept${kept}.`,
    repairs.conflictMarkers > 0 && `Note: the file ${markers}.`,
  );
}

function toBeRepaired(snapshot: Snapshot, repairs: Readonly<Repairs>): string[] {
  const inVersions = [...snapshot.groups()].filter(([, versions]) => areSeveral(versions)).length;
  return present(
    repairs.byteOrderMarks > 0 && "a byte-order mark",
    repairs.carriageReturns > 0 && "CRLF line ends",
    repairs.missingLastNewline > 0 && "a missing last newline",
    repairs.linesWithoutId > 0 && `${plural(repairs.linesWithoutId, "line")} without an id`,
    repairs.repeatedLines > 0 && plural(repairs.repeatedLines, "repeated line"),
    inVersions > 0 && `${plural(inVersions, "id")} in several versions`,
  );
}
