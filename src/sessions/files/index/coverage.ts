/** Which bytes of the files of events are indexed, and whether they are still what was indexed. */
import { statSync } from "node:fs";
import { groupBy } from "../../../ground/core/group-by.ts";
import { compare } from "../../../ground/core/text.ts";
import { linesOf } from "../../../ground/files/append-log.ts";
import { hasCode, ifThere } from "../../../ground/files/file-errors.ts";
import { readAt, withFile } from "../../../ground/files/open-file.ts";
import { bytesBehind, LEAST_CUT_BYTES } from "../../storing/hidden-texts.ts";
import type { DayFile, DayFiles } from "../day-files.ts";
import { readEventLine } from "../event-line.ts";
import { sumOfEnds, sumOfEndsIn } from "../sum-of-ends.ts";

const LINE_FEED = 0x0a;
/** A purge of every day takes longer than this many listings. */
const LIST_TRIES = 20;

/** Bytes of a file, from the beginning of a line to the end of one. */
export interface Piece {
  /** Its name. */
  readonly file: string;
  readonly from: number;
  readonly to: number;
  /** Checksum of its first and last bytes: a day that was dropped and recorded again begins with its first name. */
  readonly sum: number;
}

/** A file of events as it is at one moment. */
export type FileNow = Readonly<ReturnType<typeof fileNow>>;

/** Whole lines of a file, which they are, and how many bytes they have with the whole texts behind them. */
export type Lines = Readonly<NonNullable<ReturnType<typeof readLast>>>;

/** Bytes of a file that are not indexed. */
export interface Gap {
  readonly file: FileNow;
  readonly from: number;
  readonly to: number;
}

/** All files, the earliest day first; listed again where one is renamed meanwhile. @throws the file system's own error. */
export function filesNow(days: Pick<DayFiles, "list">): Map<string, FileNow> {
  for (let tries = 1; ; tries++) {
    try {
      return new Map(days.list().map((file) => [file.name, fileNow(file)]));
    } catch (error) {
      if (!hasCode(error, "ENOENT") || tries === LIST_TRIES) throw error;
    }
  }
}

/** Its `stamp` is another one when the file was exchanged. */
function fileNow(file: DayFile) {
  const { size, ino, birthtimeMs } = statSync(file.path);
  return { ...file, bytes: size, stamp: `${ino} ${birthtimeMs}` };
}

/** What no piece covers, the newest day first. */
export function gapsIn(files: ReadonlyMap<string, FileNow>, covered: readonly Piece[]): Gap[] {
  const byFile = groupBy(covered, ({ file }) => file);
  const gaps: Gap[] = [];
  for (const file of [...files.values()].reverse()) {
    const pieces = [...(byFile.get(file.name) ?? [])].sort((a, b) => b.from - a.from);
    let end = file.bytes;
    for (const { from, to } of pieces) {
      if (to < end) gaps.push({ file, from: to, to: end });
      end = from;
    }
    if (end > 0) gaps.push({ file, from: 0, to: end });
  }
  return gaps;
}

/** The last lines of these gaps, about so many bytes at most, those of whole texts behind them included. @returns also what is still missing, without half a last line. */
export function takeLast(gaps: readonly Gap[], most: number) {
  const taken: Lines[] = [];
  const left: Gap[] = [];
  let room = most;
  for (const gap of gaps) {
    const last = room > 0 ? readLast(gap, room) : undefined;
    // No room, or the file has gone, and what it held stands in another one now.
    if (last === undefined) left.push(gap);
    else if (gap.from < last.piece.from) left.push({ ...gap, to: last.piece.from });
    if (last === undefined || last.bytes.length === 0) continue;
    taken.push(last);
    room -= last.textBytes;
  }
  return { taken, left };
}

/** The last whole lines of a gap, about so many bytes, or one longer line. @returns undefined when the file has gone. */
function readLast({ file, from, to }: Gap, most: number) {
  for (let length = Math.min(most, to - from); ; length = Math.min(2 * length, to - from)) {
    const bytes = ifThere(() => withFile(file.path, (open) => readAt(open, to - length, length)));
    if (bytes === undefined) return undefined;
    const start = length === to - from ? 0 : bytes.indexOf(LINE_FEED) + 1;
    const end = bytes.lastIndexOf(LINE_FEED) + 1;
    if (end <= start && length < to - from) continue;
    const { lines, textBytes } = lastWithin(bytes.subarray(start, Math.max(start, end)), most);
    const at = to - length + end - lines.length;
    const piece = { file: file.name, from: at, to: at + lines.length, sum: sumOfEnds(lines) };
    return { piece, bytes: lines, path: file.path, textBytes };
  }
}

/** The last of these lines, one at least: with the whole texts behind them they have about so many bytes. */
function lastWithin(
  lines: Buffer,
  most: number,
): { readonly lines: Buffer; readonly textBytes: number } {
  let textBytes = 0;
  for (const line of linesOf(lines).reverse()) {
    const bytes = line.length + hiddenBytes(line);
    const end = line.byteOffset - lines.byteOffset + line.length + 1;
    if (textBytes > 0 && textBytes + bytes > most) return { lines: lines.subarray(end), textBytes };
    textBytes += bytes;
  }
  return { lines, textBytes };
}

/** Most lines are too short to have cut a text. */
function hiddenBytes(line: Buffer): number {
  const event = line.length < LEAST_CUT_BYTES ? undefined : readEventLine(line.toString());
  return event === undefined ? 0 : bytesBehind(event);
}

/** Says whether files still hold what was indexed of them; each is looked into once, until it is exchanged. */
export class PieceCheck {
  readonly #found = new WeakMap<Piece, string>();

  /** @param files by name. */
  holds(pieces: readonly Piece[], files: ReadonlyMap<string, FileNow>): boolean {
    return pieces.every((piece) => {
      const file = files.get(piece.file);
      if (file === undefined || file.bytes < piece.to) return false;
      if (this.#found.get(piece) === file.stamp) return true;
      if (sumInFile(file.path, piece.from, piece.to) !== piece.sum) return false;
      this.#found.set(piece, file.stamp);
      return true;
    });
  }
}

/** Pieces in the order of their files, those that lie side by side as one; a file that has gone keeps its pieces. */
export function joinPieces(pieces: readonly Piece[], files: ReadonlyMap<string, FileNow>): Piece[] {
  const joined: Piece[] = [];
  for (const piece of [...pieces].sort(byPlace)) {
    const last = joined.at(-1);
    const path =
      last?.file === piece.file && last.to === piece.from ? files.get(piece.file)?.path : undefined;
    const sum = last && path && sumInFile(path, last.from, piece.to);
    if (last && typeof sum === "number") joined[joined.length - 1] = { ...last, to: piece.to, sum };
    else joined.push(piece);
  }
  return joined;
}

export function byPlace(a: Pick<Piece, "file" | "from">, b: Pick<Piece, "file" | "from">): number {
  if (a.file === b.file) return a.from - b.from;
  const [dayA = "", generationA] = a.file.split(".");
  const [dayB = "", generationB] = b.file.split(".");
  return compare(dayA, dayB) || Number(generationA) - Number(generationB);
}

export const overlap = (a: Piece, b: Piece): boolean =>
  a.file === b.file && a.from < b.to && b.from < a.to;

export function bytesOf(pieces: readonly Pick<Piece, "from" | "to">[]): number {
  return pieces.reduce((sum, { from, to }) => sum + to - from, 0);
}

function sumInFile(path: string, from: number, to: number): number | undefined {
  return ifThere(() => withFile(path, (file) => sumOfEndsIn(file, from, to)));
}
