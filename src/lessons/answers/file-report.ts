import { plural } from "../../ground/core/text.ts";
import type { FileReport, Repairs } from "../format/file-lines.ts";
import type { Snapshot } from "../merge/fold.ts";
import { areSeveral } from "../merge/joined-cues.ts";

/** What in the file is not a lesson, and what a save repairs; nothing when there is nothing to say. */
export function fileReport(snapshot: Snapshot, report: FileReport): string[] {
  const repaired = toBeRepaired(snapshot, report.repairs);
  if (repaired.length === 0) return unrecognisedLines(report);
  return [...unrecognisedLines(report), `Note: read all the same, and repaired by a save: ${repaired.join(", ")}.`];
}

/** What in the file is not a lesson: unreadable lines, and what a merge left. */
export function unrecognisedLines({ unrecognised, repairs }: FileReport): string[] {
  const named = unrecognised.slice(0, 3).map(({ number, reason }) => `line ${number}: ${reason}`);
  const more = unrecognised.length > named.length ? "; …" : "";
  const unreadable = `${plural(unrecognised.length, "line")} of the file cannot be read as lessons and are kept`;
  return [
    ...(unrecognised.length > 0 ? [`Note: ${unreadable} (${named.join("; ")}${more}).`] : []),
    ...(repairs.conflictMarkers > 0
      ? ["Note: the file has merge conflict markers; both sides are read, and a save removes them."]
      : []),
  ];
}

/** What a save did about lines that are not lessons. @param report on the file as the save found it. */
export function saveReport({ unrecognised, repairs }: FileReport): string[] {
  const lines = plural(unrecognised.length, "line");
  return [
    ...(unrecognised.length > 0
      ? [
          `Note: ${lines} of the file cannot be read as lessons and are kept at the end of the file; sentinel-memory check says what is wrong.`,
        ]
      : []),
    ...(repairs.conflictMarkers > 0
      ? ["Note: the file had merge conflict markers; both sides were read, and this save removed the markers."]
      : []),
  ];
}

function toBeRepaired(snapshot: Snapshot, repairs: Readonly<Repairs>): string[] {
  let inVersions = 0;
  for (const [, versions] of snapshot.groups()) if (areSeveral(versions)) inVersions++;
  return [
    ...(repairs.byteOrderMarks > 0 ? ["a byte-order mark"] : []),
    ...(repairs.carriageReturns > 0 ? ["CRLF line ends"] : []),
    ...(repairs.missingLastNewline > 0 ? ["a missing last newline"] : []),
    ...(repairs.linesWithoutId > 0 ? [`${plural(repairs.linesWithoutId, "line")} without an id`] : []),
    ...(repairs.repeatedLines > 0 ? [plural(repairs.repeatedLines, "repeated line")] : []),
    ...(inVersions > 0 ? [`${plural(inVersions, "id")} in several versions`] : []),
  ];
}
