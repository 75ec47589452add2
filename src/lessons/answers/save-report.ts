import type { FileReport } from "../format/file-lines.ts";
import { plural } from "./presentation.ts";

/**
 * What a save did about lines that are not records.
 *
 * @param report on the file as the save found it.
 */
export function saveReport({ unrecognised, repairs }: FileReport): string[] {
  const lines = plural(unrecognised.length, "line");
  return [
    ...(unrecognised.length > 0
      ? [
          `Note: ${lines} of the file cannot be read as records and are kept at the end of the file; sentinel-memory check says what is wrong.`,
        ]
      : []),
    ...(repairs.conflictMarkers > 0
      ? ["Note: the file had merge conflict markers; both sides were read, and this save removed the markers."]
      : []),
  ];
}
