/** Finds faults in the lines of a file, apart from the lessons in them. */
import { groupBy } from "../../ground/core/collections.ts";
import { plural } from "../../ground/core/text.ts";
import { type FileLine, SEVERAL_RECORDS, type UnrecognisedLine } from "../format/file-lines.ts";
import { type Finding, findingOn } from "./finding.ts";

const KEEP_LF =
  "The next save writes LF; `memory_log.jsonl text eol=lf merge=union -filter !diff` in .context/.gitattributes keeps it so.";

/** Lines that are not lessons, and conflict markers. */
export function examineStructure(
  lines: readonly FileLine[],
  unrecognised: readonly UnrecognisedLine[],
): Finding[] {
  const markers = lines.filter(({ kind }) => kind === "conflict marker");
  const reasons = groupBy(unrecognised, ({ reason }) => reason);
  const unfinished = `A merge was left unfinished: ${plural(markers.length, "conflict marker")}.`;
  const keepBoth =
    "Delete the marker lines and keep the lessons of both sides: reading sorts out which of them count.";
  const unread = [...reasons].flatMap(([reason, unreadable]) => {
    const what = `${plural(unreadable.length, "line")} cannot be read as a lesson: ${reason}.`;
    const fix =
      reason === SEVERAL_RECORDS
        ? "Put a line break between them."
        : "Correct or delete it. git log -p of the file shows earlier versions.";
    return findingOn("unreadable_line", numbersOf(unreadable), what, fix);
  });
  return [...findingOn("conflict_marker", numbersOf(markers), unfinished, keepBoth), ...unread];
}

/** Line ends that the next write changes. */
export function examineLineEnds(lines: readonly FileLine[]): Finding[] {
  const returned = lines.filter(({ carriageReturn }) => carriageReturn);
  return findingOn("carriage_return", numbersOf(returned), "Lines end in CR LF.", KEEP_LF);
}

const numbersOf = (lines: readonly { readonly number: number }[]): number[] =>
  lines.map(({ number }) => number);
