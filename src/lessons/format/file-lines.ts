/**
 * The memory file as lines that are versions and lines that are not, and back; total over any bytes. A line is held as a *raw*, one latin1
 * character a byte, so all bytes survive and `<` compares them. No line that is not understood is dropped; what may go says nothing of its own.
 */
import { isUtf8 } from "node:buffer";
import { tryOr } from "../../ground/core/errors.ts";
import { copyOf } from "../../ground/core/memoize.ts";
import { compare } from "../../ground/core/text.ts";
import {
  instantOf,
  NO_USABLE_ID,
  readVersion,
  revisionOf,
  type Version,
  writeVersion,
} from "./lesson.ts";

/** A line that is a version of a lesson. */
export interface VersionLine {
  readonly raw: string;
  readonly version: Version;
  /** The instant of its revision, in ms. */
  readonly instant: number;
  /** The line in the file, if it has no id. See changes/adopt.ts. */
  readonly bare?: string;
}

/** A line that is not a lesson: kept verbatim, counted, reported. */
export interface UnrecognisedLine {
  readonly raw: string;
  /** Its line number in the file, from 1. */
  readonly number: number;
  readonly reason: string;
}

/** A line of a file, without byte-order marks and carriage returns. */
export interface FileLine {
  readonly raw: string;
  /** Its line number in the file, from 1. */
  readonly number: number;
  readonly kind: "text" | "blank" | "conflict marker";
  readonly carriageReturn: boolean;
  readonly byteOrderMark: boolean;
}

const NOTHING_TO_REPAIR = {
  byteOrderMarks: 0,
  carriageReturns: 0,
  blankLines: 0,
  conflictMarkers: 0,
  repeatedLines: 0,
  missingLastNewline: 0,
  linesWithoutId: 0,
};

/** How many blemishes of each kind the next write repairs. */
export type Repairs = typeof NOTHING_TO_REPAIR;

/** The lines of a file that are no lessons, and the repairs of the next write. */
export interface FileReport {
  readonly unrecognised: readonly UnrecognisedLine[];
  readonly repairs: Readonly<Repairs>;
}

export interface ParsedFile extends FileReport {
  readonly versions: readonly VersionLine[];
}

const NEWLINE_BYTE = 0x0a;
const NEWLINE = "\n";
const BYTE_ORDER_MARKS = /^(?:\u00ef\u00bb\u00bf)+/;
const CARRIAGE_RETURNS = /\r+$/;
const CONFLICT_MARKER = /^(?:<{7,}|>{7,}|\|{7,})(?: .*)?$|^={7,}$/;
/** The reason for a line with several lessons, after a lost line break. */
export const SEVERAL_RECORDS = "several lessons on one line";
const BETWEEN_OBJECTS = /(?<=\})[ \t]*(?=\{")/;
const BLANK = /^[ \t]*$/;

/** Whether bytes begin with the byte-order mark of UTF-16, which some editors on Windows save. */
export const isUtf16 = (bytes: Buffer): boolean =>
  /^(?:\xff\xfe|\xfe\xff)/.test(bytes.toString("latin1", 0, 2));

/** A line as Git LFS begins a pointer, also as its earlier releases did and after a byte-order mark. No line of a memory can begin like it. */
const LFS_POINTER = /^(?:\xef\xbb\xbf)*version https?:\/\//m;

/** The fix for a Git LFS pointer in the place of a memory. An earlier version could save lessons above it. */
export const LFS_FIX =
  "Call git lfs pull. If the file has lessons too, move it away first, and import it afterwards: sentinel-memory import FILE.";

/** Whether bytes have a Git LFS pointer, which is in the place of a file until LFS fetches it. */
export const isLfsPointer = (bytes: Buffer): boolean => LFS_POINTER.test(bytes.toString("latin1"));

/** Reads a file as versions and other lines. @param known versions by their raw line, which are not parsed again. */
export function parseFile(bytes: Buffer, known?: ReadonlyMap<string, VersionLine>): ParsedFile {
  const read: VersionLine[] = [];
  const unrecognised: UnrecognisedLine[] = [];
  const repairs: Repairs = { ...NOTHING_TO_REPAIR };
  // To decode a whole file takes a fraction of what its lines take one by one.
  const texts = known === undefined && isUtf8(bytes) ? bytes.toString("utf8").split(NEWLINE) : [];
  for (const { raw, number, kind, carriageReturn, byteOrderMark } of fileLines(bytes)) {
    if (carriageReturn) repairs.carriageReturns++;
    if (byteOrderMark) repairs.byteOrderMarks++;
    if (kind === "blank") repairs.blankLines++;
    else if (kind === "conflict marker") repairs.conflictMarkers++;
    else {
      const text = carriageReturn || byteOrderMark ? undefined : texts[number - 1];
      const line = known?.get(raw) ?? readLine(known ? copyOf(raw) : raw, text);
      if (typeof line === "string") unrecognised.push({ raw, number, reason: line });
      else read.push(line);
    }
  }
  if (bytes.length > 0 && bytes.at(-1) !== NEWLINE_BYTE) repairs.missingLastNewline = 1;
  const versions = read
    .sort(byIdThenBytes)
    .filter((line, index) => line.raw !== read[index - 1]?.raw);
  repairs.repeatedLines += read.length - versions.length;
  return { versions, unrecognised, repairs };
}

/** The lines of a file in order. */
export function fileLines(bytes: Buffer): FileLine[] {
  const lines = bytes.toString("latin1").split(NEWLINE);
  if (lines.at(-1) === "") lines.pop();
  return lines.map((text, index) => fileLine(text, index + 1));
}

/** The bytes of a file with these lines: lessons in their order, then the others. @param versions by id, then byte-wise. */
export function renderFile(
  versions: readonly VersionLine[],
  unrecognised: readonly UnrecognisedLine[],
): Buffer {
  const lines = [...versions, ...unrecognised];
  const bytes = Buffer.allocUnsafe(lines.reduce((size, { raw }) => size + raw.length + 1, 0));
  let end = 0;
  for (const { raw } of lines)
    end = bytes.writeUInt8(NEWLINE_BYTE, end + bytes.write(raw, end, "latin1"));
  return bytes;
}

/** The report on a file once it has been written with these lines. */
export function reportOnceWritten(
  versions: readonly VersionLine[],
  { unrecognised }: FileReport,
): FileReport {
  return {
    unrecognised: unrecognised.map((line, index) => ({
      ...line,
      number: versions.length + index + 1,
    })),
    repairs: NOTHING_TO_REPAIR,
  };
}

/** The line of a version. */
export function toLine(version: Version): VersionLine {
  const raw = Buffer.from(writeVersion(version), "utf8").toString("latin1");
  return { raw, version, instant: instantOf(revisionOf(version.meta)) };
}

function fileLine(text: string, number: number): FileLine {
  const carriageReturn = text.endsWith("\r");
  // Nearly all lines need no repair.
  if (text.startsWith("{") && !carriageReturn)
    return { raw: text, number, kind: "text", carriageReturn, byteOrderMark: false };
  const byteOrderMark = BYTE_ORDER_MARKS.test(text);
  const raw = text.replace(CARRIAGE_RETURNS, "").replace(BYTE_ORDER_MARKS, "");
  const kind = BLANK.test(raw) ? "blank" : CONFLICT_MARKER.test(raw) ? "conflict marker" : "text";
  return { raw, number, kind, carriageReturn, byteOrderMark };
}

/** @param text of the line, if it is decoded already. */
function readLine(raw: string, text = decoded(raw)): VersionLine | string {
  if (text === undefined) return "not UTF-8";
  const value = parseJson(text);
  if (value === undefined)
    return text.split(BETWEEN_OBJECTS).every(isJson) ? SEVERAL_RECORDS : "not JSON";
  const version = readVersion(value);
  if (typeof version === "string") return version;
  return { raw, version, instant: instantOf(revisionOf(version.meta)) };
}

/** Decodes the bytes of a line. Undefined if they are not UTF-8. */
function decoded(raw: string): string | undefined {
  const bytes = Buffer.from(raw, "latin1");
  return isUtf8(bytes) ? bytes.toString("utf8") : undefined;
}

/** The value of a text. Undefined if it is not JSON. */
const parseJson = (text: string): unknown => tryOr(() => JSON.parse(text), undefined);

const isJson = (text: string): boolean => parseJson(text) !== undefined;

/** Whether a file has lines that may be lessons without an id. See adopt.ts. */
export function mayLackIds({ unrecognised }: ParsedFile): boolean {
  return unrecognised.some(({ reason }) => reason === NO_USABLE_ID);
}

/** The order of versions in a file. */
export function byIdThenBytes(a: VersionLine, b: VersionLine): number {
  return compare(a.version.id, b.version.id) || compare(a.raw, b.raw);
}
