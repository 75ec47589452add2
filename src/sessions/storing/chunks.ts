/** Cuts events into chunks, the units that searches find and agents cite. Cutting is deterministic, so an index can be rebuilt. (docs/design/sessions.md, "Finding") */
import { type Event, eventText } from "../kinds/event.ts";
import { hiddenTexts } from "./hidden-texts.ts";

export interface Chunk {
  /** `chk_`, the ULID of its event, and its number from 01 on. */
  readonly id: string;
  readonly text: string;
  /** Set for a part that the event doesn't show. Contains its artifact, and its start there in UTF-16 units. */
  readonly hidden?: { readonly artifact: string; readonly start: number };
}

/** The size of a chunk in bytes, if the event's text is longer: about 400 to 800 tokens of prose or code. @internal */
export const LEAST_BYTES = 1_600;
/** @internal */
export const MOST_BYTES = 3_200;
/** The most characters of a piece. */
const SLICE = 100;

/** A part of a text that ends at a possible cut. */
interface Piece {
  readonly end: number;
  readonly bytes: number;
  /** 3 at the end of a paragraph, 2 of a line, 1 of a sentence, 0 of a word or less. */
  readonly border: number;
}

/** The chunks of an event's text, which can be joined to get the text back, followed by those of the hidden parts of long texts. @param wholeOf the text of an artifact. */
export function chunksOf(
  event: Event,
  wholeOf: (artifact: string) => string | undefined = () => undefined,
): Chunk[] {
  const parts: Omit<Chunk, "id">[] = cutText(eventText(event)).map((text) => ({ text }));
  for (const { artifact, from, text: hidden } of hiddenTexts(event, wholeOf)) {
    let start = from;
    for (const text of cutText(hidden)) {
      parts.push({ text, hidden: { artifact, start } });
      start += text.length;
    }
  }
  return parts.map((part, at) => ({ id: chunkId(event.id, at + 1), ...part }));
}

/** @param part from 1 on. */
export function chunkId(event: string, part: number): string {
  return `chk_${event.slice("evt_".length)}_${String(part).padStart(2, "0")}`;
}

/** The number of a chunk, from 1 on. */
export const partIn = (chunk: string): number => Number(chunk.slice(chunk.lastIndexOf("_") + 1));

/** The id of a chunk's event. */
export const eventOfChunk = (chunk: string): string =>
  `evt_${chunk.slice("chk_".length, chunk.lastIndexOf("_"))}`;

/** Cuts a text into parts of 1,600 to 3,200 bytes. Counting tokens would take longer, and a better estimate would move the borders. @internal */
export function cutText(text: string): string[] {
  if (text === "") return [];
  if (Buffer.byteLength(text) <= MOST_BYTES) return [text];
  const ends = endsOf(piecesOf(text));
  return ends.map((end, index) => text.slice(ends[index - 1] ?? 0, end));
}

function endsOf(pieces: readonly Piece[]): number[] {
  let rest = pieces.reduce((sum, { bytes }) => sum + bytes, 0);
  const ends: number[] = [];
  for (let from = 0; from < pieces.length; ) {
    const whole = { next: pieces.length, bytes: rest };
    const { next, bytes } =
      rest <= MOST_BYTES ? whole : cutAfter(pieces, from, Math.min(MOST_BYTES, rest - LEAST_BYTES));
    ends.push((pieces[next - 1] as Piece).end);
    rest -= bytes;
    from = next;
  }
  return ends;
}

/** Finds the last of the best borders after enough bytes, and before too many. */
function cutAfter(
  pieces: readonly Piece[],
  from: number,
  most: number,
): { next: number; bytes: number } {
  let best = { next: from + 1, bytes: (pieces[from] as Piece).bytes, border: -1 };
  let bytes = 0;
  for (let at = from; at < pieces.length; at++) {
    const piece = pieces[at] as Piece;
    bytes += piece.bytes;
    if (bytes > most) break;
    // With too few bytes, any later place is better.
    const border = bytes < LEAST_BYTES ? -1 : piece.border;
    if (border >= best.border) best = { next: at + 1, bytes, border };
  }
  return best;
}

const LINE = /[^\n]*\n|[^\n]+$/g;
const SENTENCE = /(?<=[.!?;]["')\]]*)\s+|(?<=[。！？；])/g;
const BLANK = /^\s*$/;

function piecesOf(text: string): Piece[] {
  const pieces: Piece[] = [];
  const lines = text.match(LINE) ?? [];
  let start = 0;
  for (const [index, line] of lines.entries()) {
    const isParagraph = BLANK.test(lines[index + 1] ?? "") || BLANK.test(line);
    let from = 0;
    for (const { end, border = isParagraph ? 3 : 2 } of cutsIn(line)) {
      pieces.push({ end: start + end, bytes: Buffer.byteLength(line.slice(from, end)), border });
      from = end;
    }
    start += line.length;
  }
  return pieces;
}

/** The places where a line can be cut: after sentences, and within long ones. The end of the line has no border yet. */
function* cutsIn(line: string): Generator<{ readonly end: number; readonly border?: number }> {
  const sentences = line.length <= SLICE ? [] : [...line.matchAll(SENTENCE)];
  const ends = sentences.map(({ index, 0: space }) => index + space.length);
  let from = 0;
  for (const end of [...ends.filter((end) => end > 0 && end < line.length), line.length]) {
    while (end - from > SLICE) {
      from += sliceLength(line, from);
      yield { end: from, border: 0 };
    }
    yield end === line.length ? { end } : { end, border: 1 };
    from = end;
  }
}

/** Up to the last space within a slice, and never inside a character. */
function sliceLength(line: string, from: number): number {
  const space = line.slice(from, from + SLICE).lastIndexOf(" ") + 1;
  if (space > 0) return space;
  return /[\ud800-\udbff]/.test(line.charAt(from + SLICE - 1)) ? SLICE - 1 : SLICE;
}
