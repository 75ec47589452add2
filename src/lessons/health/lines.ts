/** What is wrong with the lines of a file, whatever the lessons in them say. */
import { groupBy } from "../../ground/core/group-by.ts";
import { plural } from "../../ground/core/text.ts";
import { type FileLine, SEVERAL_RECORDS, type UnrecognisedLine } from "../format/file-lines.ts";
import type { Finding } from "./finding.ts";

const NOTHING_TO_DO = "Nothing to do: the next save takes it away.";

/** Lines that are not lessons, and conflict markers. */
export function examineStructure(lines: readonly FileLine[], unrecognised: readonly UnrecognisedLine[]): Finding[] {
  const markers = lines.filter(({ kind }) => kind === "conflict marker");
  const reasons = groupBy(unrecognised, ({ reason }) => reason);
  return [
    ...found(markers, {
      code: "conflict_marker",
      level: "broken",
      what: `A merge was left unfinished: ${plural(markers.length, "conflict marker")}.`,
      fix: "Delete the marker lines and keep the lessons of both sides: reading sorts out which of them count.",
    }),
    ...[...reasons].flatMap(([reason, unreadable]) =>
      found(unreadable, {
        code: "unreadable_line",
        level: "broken",
        what: `${plural(unreadable.length, "line")} cannot be read as a lesson: ${reason}.`,
        fix:
          reason === SEVERAL_RECORDS
            ? "Put a line break between them."
            : "Correct or delete it; git log -p of the file shows what stood there.",
      }),
    ),
  ];
}

/** Blemishes that the next write repairs by itself. */
export function examineForm(bytes: Buffer, lines: readonly FileLine[]): Finding[] {
  const seen = new Set<string>();
  const repeated = lines.filter(({ raw, kind }) => kind === "text" && (seen.has(raw) || !seen.add(raw)));
  const blank = lines.filter(({ kind }) => kind === "blank");
  const last = lines.at(-1);
  return [
    ...found(
      lines.filter(({ byteOrderMark }) => byteOrderMark),
      { code: "byte_order_mark", level: "note", what: "The file has a byte-order mark.", fix: NOTHING_TO_DO },
    ),
    ...found(
      lines.filter(({ carriageReturn }) => carriageReturn),
      {
        code: "carriage_return",
        level: "note",
        what: "Lines end in CR LF.",
        fix: "The next save writes LF; `memory_log.jsonl text eol=lf merge=union` in .context/.gitattributes keeps it so.",
      },
    ),
    ...found(last && bytes.at(-1) !== 0x0a ? [last] : [], {
      code: "missing_newline",
      level: "note",
      what: "The last line does not end in a newline.",
      fix: NOTHING_TO_DO,
    }),
    ...found(blank, {
      code: "blank_line",
      level: "note",
      what: `${plural(blank.length, "blank line")}.`,
      fix: NOTHING_TO_DO,
    }),
    ...found(repeated, {
      code: "repeated_line",
      level: "note",
      what: `${plural(repeated.length, "line")} that stood in the file already.`,
      fix: NOTHING_TO_DO,
    }),
  ];
}

function found(lines: readonly { readonly number: number }[], finding: Omit<Finding, "lines">): Finding[] {
  return lines.length === 0 ? [] : [{ ...finding, lines: lines.map(({ number }) => number) }];
}
