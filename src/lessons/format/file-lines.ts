/**
 * Parses the bytes of a memory file into versions and other lines, and renders them again. Accepts any bytes. `raw` contains a line as
 * latin1, one character per byte, so all bytes survive and `<` compares them. Never drops a line that it can't read, except for lines
 * without content, such as conflict markers.
 */
import { isUtf8 } from "node:buffer";
import { parseJson } from "../../ground/core/errors.ts";
import { compare } from "../../ground/core/text.ts";
import { instantOf, readVersion, revisionOf, type Version, writeVersion } from "./lesson.ts";

/** A line that is a version of a lesson. */
export interface VersionLine {
  readonly raw: string;
  readonly version: Version;
  /** The instant of its revision, in ms. */
  readonly instant: number;
  /** The line in the file, if it has no id. See changes/import.ts. */
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
}

/** The parts of a file that aren't lessons. */
export interface FileReport {
  readonly unrecognised: readonly UnrecognisedLine[];
  readonly hasConflictMarkers: boolean;
}

export interface ParsedFile extends FileReport {
  readonly versions: readonly VersionLine[];
}

const NEWLINE = "\n";
const BYTE_ORDER_MARKS = /^(?:\u00ef\u00bb\u00bf)+/;
const CARRIAGE_RETURNS = /\r+$/;
const CONFLICT_MARKER = /^(?:<{7,}|>{7,}|\|{7,})(?: .*)?$|^={7,}$/;
/** The reason for a line with several lessons, after a lost line break. */
export const SEVERAL_RECORDS = "several lessons on one line";
const BETWEEN_OBJECTS = /(?<=\})[ \t]*(?=\{")/;
const BLANK = /^[ \t]*$/;

/** The byte-order mark of UTF-16, which some editors on Windows save. */
const UTF_16 = /^(?:\xff\xfe|\xfe\xff)/;
/** The first line of a Git LFS pointer, in current and earlier releases, also after a byte-order mark. No line of a memory begins like it. */
const LFS_POINTER = /^(?:\xef\xbb\xbf)*version https?:\/\//m;

interface Unreadable {
  readonly id: "not_utf8" | "lfs_pointer";
  /** A clause after the file's name. */
  readonly what: string;
  readonly fix: string;
}

/** Why a file can't be read as a memory. A save would damage such a file. Undefined for other files. */
export function whyUnreadable(bytes: Buffer): Unreadable | undefined {
  const text = bytes.toString("latin1");
  if (UTF_16.test(text)) {
    return { id: "not_utf8", what: "is UTF-16 text.", fix: "Save it as UTF-8." };
  }
  if (!LFS_POINTER.test(text)) {
    return undefined;
  }
  return {
    id: "lfs_pointer",
    what: "has a Git LFS pointer instead of the lessons.",
    // An earlier version could save lessons above the pointer.
    fix: "Call git lfs pull. If the file has lessons too, move it away first, and import it afterwards: sentinel-memory import FILE.",
  };
}

/** Reads a file as versions and other lines. */
export function parseFile(bytes: Buffer): ParsedFile {
  const read: VersionLine[] = [];
  const unrecognised: UnrecognisedLine[] = [];
  const lines = fileLines(bytes);
  for (const { raw, number, kind } of lines) {
    if (kind !== "text") {
      continue;
    }
    const line = readLine(raw);
    if (typeof line === "string") {
      unrecognised.push({ raw, number, reason: line });
    } else {
      read.push(line);
    }
  }
  const versions = read
    .sort(byIdThenBytes)
    .filter((line, index) => line.raw !== read[index - 1]?.raw);
  const hasConflictMarkers = lines.some(({ kind }) => kind === "conflict marker");
  return { versions, unrecognised, hasConflictMarkers };
}

/** The lines of a file in order. */
export function fileLines(bytes: Buffer): FileLine[] {
  const lines = bytes.toString("latin1").split(NEWLINE);
  if (lines.at(-1) === "") {
    lines.pop();
  }
  return lines.map((text, index) => {
    const raw = text.replace(CARRIAGE_RETURNS, "").replace(BYTE_ORDER_MARKS, "");
    return { raw, number: index + 1, kind: kindOf(raw) };
  });
}

/** Renders a file: lessons in their order, then the other lines. @param versions by id, then byte-wise. */
export function renderFile(
  versions: readonly VersionLine[],
  unrecognised: readonly UnrecognisedLine[],
): Buffer {
  const lines = [...versions, ...unrecognised].map(({ raw }) => raw + NEWLINE);
  return Buffer.from(lines.join(""), "latin1");
}

/** Returns the report on the file after a write with these lines. */
export function reportOnceWritten(
  versions: readonly VersionLine[],
  { unrecognised }: FileReport,
): FileReport {
  return {
    unrecognised: unrecognised.map((line, index) => ({
      ...line,
      number: versions.length + index + 1,
    })),
    hasConflictMarkers: false,
  };
}

/** The line of a version. */
export function toLine(version: Version): VersionLine {
  const raw = Buffer.from(writeVersion(version), "utf8").toString("latin1");
  return { raw, version, instant: instantOf(revisionOf(version.meta)) };
}

function kindOf(raw: string): FileLine["kind"] {
  if (BLANK.test(raw)) {
    return "blank";
  }
  return CONFLICT_MARKER.test(raw) ? "conflict marker" : "text";
}

/** @returns why the line is not a version, in a few words. */
function readLine(raw: string): VersionLine | string {
  const bytes = Buffer.from(raw, "latin1");
  if (!isUtf8(bytes)) {
    return "not UTF-8";
  }
  const text = bytes.toString("utf8");
  const value = parseJson(text);
  if (value === undefined) {
    return text.split(BETWEEN_OBJECTS).every(isJson) ? SEVERAL_RECORDS : "not JSON";
  }
  const version = readVersion(value);
  if (typeof version === "string") {
    return version;
  }
  return { raw, version, instant: instantOf(revisionOf(version.meta)) };
}

const isJson = (text: string): boolean => parseJson(text) !== undefined;

/** The order of versions in a file. */
export function byIdThenBytes(a: VersionLine, b: VersionLine): number {
  return compare(a.version.id, b.version.id) || compare(a.raw, b.raw);
}
