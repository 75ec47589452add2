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
 * Reads a file as versions and whatever else stands in it.
 *
 * @param known the versions of an earlier reading, in the order of the file. They are taken over as they are, which saves
 *   parsing them again, and finding them costs least where the file has them in the same order still.
 */
export function parseJournal(bytes: Buffer, known: readonly VersionLine[] = []): Journal {
  const read: VersionLine[] = [];
  const foreign = new Map<string, ForeignLine>();
  const mends: Mends = { ...NOTHING_TO_MEND };
  let next = 0;
  let places: Map<string, number> | undefined;

  for (const [index, text] of textLines(bytes).entries()) {
    const expected = known[next];
    if (expected?.raw === text) {
      read.push(expected);
      next++;
      continue;
    }
    const { raw, number, kind, carriageReturn, byteOrderMark } = fileLine(text, index);
    if (carriageReturn) mends.carriageReturns++;
    if (byteOrderMark) mends.byteOrderMarks++;
    if (kind === "blank") mends.blankLines++;
    else if (kind === "conflict marker") mends.conflictMarkers++;
    else {
      places ??= new Map(known.map((line, place) => [line.raw, place]));
      const place = places.get(raw);
      if (place !== undefined) next = place + 1;
      const line = (place === undefined ? undefined : known[place]) ?? readLine(raw);
      if (typeof line !== "string") read.push(line);
      else if (foreign.has(raw)) mends.repeatedLines++;
      else foreign.set(raw, { raw, number, reason: line });
    }
  }
  if (bytes.length > 0 && bytes.at(-1) !== NEWLINE_BYTE) mends.missingLastNewline = 1;
  const versions = read.sort(byIdThenBytes).filter((line, index) => line.raw !== read[index - 1]?.raw);
  mends.repeatedLines += read.length - versions.length;
  return { versions, foreign: [...foreign.values()], mends };
}

/** The lines of a file in order, each with its number. */
export function splitLines(bytes: Buffer): FileLine[] {
  return textLines(bytes).map(fileLine);
}

/**
 * The bytes of a file with these lines: records in their order, then whatever is no record, in its own.
 *
 * @param versions by id, then byte-wise, as a journal and a ledger hold them.
 */
export function renderJournal(versions: readonly VersionLine[], foreign: readonly ForeignLine[]): Buffer {
  const lines = [...versions, ...foreign].map((line) => line.raw);
  // The empty text after the last line ends that line, too.
  return Buffer.from([...lines, ""].join(LINE_FEED), "latin1");
}

/** A version as a line of its own making. */
export function toLine(version: Version): VersionLine {
  const raw = Buffer.from(writeVersion(version), "utf8").toString("latin1");
  return { raw, version, instant: instantOf(revisionOf(version.meta)) };
}

function textLines(bytes: Buffer): string[] {
  const lines = bytes.toString("latin1").split(LINE_FEED);
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

function fileLine(text: string, index: number): FileLine {
  const carriageReturn = text.endsWith("\r");
  const byteOrderMark = text.startsWith(BYTE_ORDER_MARK);
  const raw = text.slice(byteOrderMark ? BYTE_ORDER_MARK.length : 0, carriageReturn ? -1 : undefined);
  const kind = BLANK.test(raw) ? "blank" : CONFLICT_MARKER.test(raw) ? "conflict marker" : "text";
  return { raw, number: index + 1, kind, carriageReturn, byteOrderMark };
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

/** The order of versions in a file. */
export function byIdThenBytes(a: VersionLine, b: VersionLine): number {
  if (a.version.id !== b.version.id) return a.version.id < b.version.id ? -1 : 1;
  return a.raw < b.raw ? -1 : a.raw > b.raw ? 1 : 0;
}
