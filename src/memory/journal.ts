/**
 * The memory file as lines: bytes -> lines that are versions and lines that are not, and back.
 *
 * Total over any bytes. A line is held as a *raw* text with one character a byte (latin1), without its line end: so bytes
 * that are no UTF-8 survive, and `<` on two raws compares them byte-wise. No line that is not understood is ever dropped;
 * what may go (see `Mends`) carries no information of its own.
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
export interface ForeignLine {
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
export interface Mends {
  byteOrderMarks: number;
  carriageReturns: number;
  blankLines: number;
  conflictMarkers: number;
  repeatedLines: number;
  missingLastNewline: number;
}

export interface Journal {
  readonly versions: readonly VersionLine[];
  readonly foreign: readonly ForeignLine[];
  readonly mends: Readonly<Mends>;
}

export const NOTHING_TO_MEND: Readonly<Mends> = {
  byteOrderMarks: 0,
  carriageReturns: 0,
  blankLines: 0,
  conflictMarkers: 0,
  repeatedLines: 0,
  missingLastNewline: 0,
};

const LINE_FEED = "\n";
const NEWLINE_BYTE = 0x0a;
const BYTE_ORDER_MARK = "\u00ef\u00bb\u00bf";
const CONFLICT_MARKER = /^(?:<{7,}|>{7,}|\|{7,})(?: .*)?$|^={7,}$/;
const BLANK = /^[ \t]*$/;

/**
 * Splits a file into its lines.
 *
 * @param known lines read before, by raw: they are taken over as they are, which saves parsing them again.
 */
export function parseJournal(bytes: Buffer, known?: ReadonlyMap<string, VersionLine>): Journal {
  const versions = new Map<string, VersionLine>();
  const foreign = new Map<string, ForeignLine>();
  const mends: Mends = { ...NOTHING_TO_MEND };

  for (const { raw, number, kind, carriageReturn, byteOrderMark } of splitLines(bytes)) {
    if (carriageReturn) mends.carriageReturns++;
    if (byteOrderMark) mends.byteOrderMarks++;
    if (kind === "blank") mends.blankLines++;
    else if (kind === "conflict marker") mends.conflictMarkers++;
    else if (versions.has(raw) || foreign.has(raw)) mends.repeatedLines++;
    else {
      const read = known?.get(raw) ?? readLine(raw);
      if (typeof read === "string") foreign.set(raw, { raw, number, reason: read });
      else versions.set(raw, read);
    }
  }
  if (bytes.length > 0 && bytes.at(-1) !== NEWLINE_BYTE) mends.missingLastNewline = 1;
  // In order already, as a rule; keeping them so saves sorting them with every write.
  return { versions: [...versions.values()].sort(byIdThenBytes), foreign: [...foreign.values()], mends };
}

/** The lines of a file in order, each with its number. */
export function splitLines(bytes: Buffer): FileLine[] {
  const lines = bytes.toString("latin1").split(LINE_FEED);
  if (lines.at(-1) === "") lines.pop();
  return lines.map((line, index) => {
    const carriageReturn = line.endsWith("\r");
    const byteOrderMark = line.startsWith(BYTE_ORDER_MARK);
    const raw = line.slice(byteOrderMark ? BYTE_ORDER_MARK.length : 0, carriageReturn ? -1 : undefined);
    const kind = BLANK.test(raw) ? "blank" : CONFLICT_MARKER.test(raw) ? "conflict marker" : "text";
    return { raw, number: index + 1, kind, carriageReturn, byteOrderMark };
  });
}

/** The bytes of a file with these lines: records in order of id, then whatever is no record, in its own order. */
export function renderJournal(versions: readonly VersionLine[], foreign: readonly ForeignLine[]): Buffer {
  const lines = [...[...versions].sort(byIdThenBytes), ...foreign].map((line) => line.raw);
  // The empty text after the last line ends that line, too.
  return Buffer.from([...lines, ""].join(LINE_FEED), "latin1");
}

/** A version as a line of its own making. */
export function toLine(version: Version): VersionLine {
  const raw = Buffer.from(writeVersion(version), "utf8").toString("latin1");
  return { raw, version, instant: instantOf(revisionOf(version.meta)) };
}

function readLine(raw: string): VersionLine | string {
  const bytes = Buffer.from(raw, "latin1");
  if (!isUtf8(bytes)) return "not UTF-8";
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString("utf8"));
  } catch {
    return "not JSON";
  }
  const version = readVersion(value);
  if (typeof version === "string") return version;
  // A fresh copy: a piece cut from the file's text would keep the whole text of that reading in memory.
  return { raw: bytes.toString("latin1"), version, instant: instantOf(revisionOf(version.meta)) };
}

function byIdThenBytes(a: VersionLine, b: VersionLine): number {
  if (a.version.id !== b.version.id) return a.version.id < b.version.id ? -1 : 1;
  return a.raw < b.raw ? -1 : a.raw > b.raw ? 1 : 0;
}
