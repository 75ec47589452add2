/**
 * The memory file as lines: bytes -> lines that are versions and lines that are not, and back.
 *
 * Total over any bytes. A line is held as a *raw* text with one character a byte (latin1), without its line end: so bytes
 * that are no UTF-8 survive, and `<` on two raws compares them byte-wise. No line that is not understood is ever dropped;
 * what may go (see `Repairs`) carries no information of its own.
 */
import { isUtf8 } from "node:buffer";
import { readVersion, type Version, writeVersion } from "./record.ts";
import { instantOf, revisionOf } from "./revision.ts";

/** A line that reads as a version of a record. */
export interface VersionLine {
  readonly raw: string;
  readonly version: Version;
  /** The instant of its revision, in ms. */
  readonly instant: number;
}

/** A line that is no record: kept verbatim, counted, reported. */
export interface UnrecognisedLine {
  readonly raw: string;
  /** Where it stands in the file, from 1. */
  readonly number: number;
  readonly reason: string;
}

/** A line of a file, freed of what is wrong with its ends. */
export interface FileLine {
  readonly raw: string;
  /** Where it stands in the file, from 1. */
  readonly number: number;
  readonly kind: "text" | "blank" | "conflict marker";
  readonly carriageReturn: boolean;
  readonly byteOrderMark: boolean;
}

/** How many of each blemish the next write takes away. */
export interface Repairs {
  byteOrderMarks: number;
  carriageReturns: number;
  blankLines: number;
  conflictMarkers: number;
  repeatedLines: number;
  missingLastNewline: number;
}

export interface ParsedFile {
  readonly versions: readonly VersionLine[];
  readonly unrecognised: readonly UnrecognisedLine[];
  readonly repairs: Readonly<Repairs>;
}

export const NOTHING_TO_REPAIR: Readonly<Repairs> = {
  byteOrderMarks: 0,
  carriageReturns: 0,
  blankLines: 0,
  conflictMarkers: 0,
  repeatedLines: 0,
  missingLastNewline: 0,
};

const NEWLINE_BYTE = 0x0a;
const BYTE_ORDER_MARKS = /^(?:\u00ef\u00bb\u00bf)+/;
const CARRIAGE_RETURNS = /\r+$/;
const CONFLICT_MARKER = /^(?:<{7,}|>{7,}|\|{7,})(?: .*)?$|^={7,}$/;
const BLANK = /^[ \t]*$/;

/**
 * Reads a file as versions and whatever else stands in it.
 *
 * @param known the versions of an earlier reading, in the order of the file. Where the file goes on as they do they are
 *   taken over as they are, which costs a comparison instead of a parse.
 */
export function parseFile(bytes: Buffer, known: readonly VersionLine[] = []): ParsedFile {
  const read: VersionLine[] = [];
  const unrecognised: UnrecognisedLine[] = [];
  const repairs: Repairs = { ...NOTHING_TO_REPAIR };
  const sound = isUtf8(bytes);
  let next = 0;
  for (let start = 0, number = 1; start < bytes.length; number++) {
    // The next one, or the one after it when that one has gone.
    const place = standsAt(bytes, start, known[next]) ? next : standsAt(bytes, start, known[next + 1]) ? next + 1 : -1;
    const same = known[place];
    if (same) {
      read.push(same);
      start += same.raw.length + 1;
      next = place + 1;
      continue;
    }
    const end = lineEnd(bytes, start);
    const { raw, kind, carriageReturn, byteOrderMark } = fileLine(bytes.toString("latin1", start, end), number);
    start = end + 1;
    if (carriageReturn) repairs.carriageReturns++;
    if (byteOrderMark) repairs.byteOrderMarks++;
    if (kind === "blank") repairs.blankLines++;
    else if (kind === "conflict marker") repairs.conflictMarkers++;
    else {
      const line = readLine(raw, sound);
      if (typeof line === "string") unrecognised.push({ raw, number, reason: line });
      else {
        read.push(line);
        while (known[next] && byIdThenBytes(known[next] as VersionLine, line) <= 0) next++;
      }
    }
  }
  if (bytes.length > 0 && bytes.at(-1) !== NEWLINE_BYTE) repairs.missingLastNewline = 1;
  const versions = read.sort(byIdThenBytes).filter((line, index) => line.raw !== read[index - 1]?.raw);
  repairs.repeatedLines += read.length - versions.length;
  return { versions, unrecognised, repairs };
}

/** The lines of a file in order, each with its number. */
export function splitLines(bytes: Buffer): FileLine[] {
  const lines: FileLine[] = [];
  for (let start = 0; start < bytes.length; ) {
    const end = lineEnd(bytes, start);
    lines.push(fileLine(bytes.toString("latin1", start, end), lines.length + 1));
    start = end + 1;
  }
  return lines;
}

/**
 * The bytes of a file with these lines: records in their order, then whatever is no record, in its own.
 *
 * @param versions by id, then byte-wise, as a parsed and a snapshot hold them.
 */
export function renderFile(versions: readonly VersionLine[], unrecognised: readonly UnrecognisedLine[]): Buffer {
  const lines = [...versions, ...unrecognised];
  const bytes = Buffer.allocUnsafe(lines.reduce((length, { raw }) => length + raw.length + 1, 0));
  let end = 0;
  for (const { raw } of lines) {
    end += bytes.write(raw, end, "latin1");
    end = bytes.writeUInt8(NEWLINE_BYTE, end);
  }
  return bytes;
}

/** The lines that are no versions, numbered as they stand in what `renderFile` writes. */
export function renumbered(
  versions: readonly VersionLine[],
  unrecognised: readonly UnrecognisedLine[],
): UnrecognisedLine[] {
  return unrecognised.map((line, index) => ({ ...line, number: versions.length + index + 1 }));
}

/** A version as a line of its own making. */
export function toLine(version: Version): VersionLine {
  const raw = Buffer.from(writeVersion(version), "utf8").toString("latin1");
  return { raw, version, instant: instantOf(revisionOf(version.meta)) };
}

/** Whether exactly this line starts here. */
function standsAt(bytes: Buffer, start: number, line: VersionLine | undefined): boolean {
  if (!line) return false;
  const end = start + line.raw.length;
  return bytes[end] === NEWLINE_BYTE && bytes.toString("latin1", start, end) === line.raw;
}

function lineEnd(bytes: Buffer, start: number): number {
  const end = bytes.indexOf(NEWLINE_BYTE, start);
  return end < 0 ? bytes.length : end;
}

function fileLine(text: string, number: number): FileLine {
  const carriageReturn = text.endsWith("\r");
  const byteOrderMark = BYTE_ORDER_MARKS.test(text);
  // A slice of the text itself, where there is nothing to take off.
  const raw = carriageReturn || byteOrderMark ? text.replace(BYTE_ORDER_MARKS, "").replace(CARRIAGE_RETURNS, "") : text;
  const kind = BLANK.test(raw) ? "blank" : CONFLICT_MARKER.test(raw) ? "conflict marker" : "text";
  return { raw, number, kind, carriageReturn, byteOrderMark };
}

/** @param sound whether the line is known to be UTF-8. */
function readLine(raw: string, sound: boolean): VersionLine | string {
  const bytes = Buffer.from(raw, "latin1");
  if (!sound && !isUtf8(bytes)) return "not UTF-8";
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString("utf8"));
  } catch {
    return "not JSON";
  }
  const version = readVersion(value);
  if (typeof version === "string") return version;
  return { raw, version, instant: instantOf(revisionOf(version.meta)) };
}

/** The order of versions in a file. */
export function byIdThenBytes(a: VersionLine, b: VersionLine): number {
  if (a.version.id !== b.version.id) return a.version.id < b.version.id ? -1 : 1;
  return a.raw < b.raw ? -1 : a.raw > b.raw ? 1 : 0;
}
