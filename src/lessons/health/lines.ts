/** Finds faults in the lines of a file, apart from the lessons in them. */
import { groupBy } from "../../ground/core/group-by.ts";
import { plural } from "../../ground/core/text.ts";
import { type FileLine, SEVERAL_RECORDS, type UnrecognisedLine } from "../format/file-lines.ts";
import { type Finding, findingOn } from "./finding.ts";

const NOTHING_TO_DO = "Nothing to do: the next save takes it away.";
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

/** Faults that the next write repairs. */
export function examineForm(bytes: Buffer, lines: readonly FileLine[]): Finding[] {
  const seen = new Set<string>();
  const repeated = lines.filter(
    ({ raw, kind }) => kind === "text" && (seen.has(raw) || !seen.add(raw)),
  );
  const blank = lines.filter(({ kind }) => kind === "blank");
  const marked = lines.filter(({ byteOrderMark }) => byteOrderMark);
  const returned = lines.filter(({ carriageReturn }) => carriageReturn);
  const open = lines.slice(-1).filter(() => bytes.at(-1) !== 0x0a);
  const again = `${plural(repeated.length, "line")} repeated.`;
  return [
    ...findingOn(
      "byte_order_mark",
      numbersOf(marked),
      "The file has a byte-order mark.",
      NOTHING_TO_DO,
    ),
    ...findingOn("carriage_return", numbersOf(returned), "Lines end in CR LF.", KEEP_LF),
    ...findingOn(
      "missing_newline",
      numbersOf(open),
      "The last line does not end in a newline.",
      NOTHING_TO_DO,
    ),
    ...findingOn(
      "blank_line",
      numbersOf(blank),
      `${plural(blank.length, "blank line")}.`,
      NOTHING_TO_DO,
    ),
    ...findingOn("repeated_line", numbersOf(repeated), again, NOTHING_TO_DO),
  ];
}

const numbersOf = (lines: readonly { readonly number: number }[]): number[] =>
  lines.map(({ number }) => number);
