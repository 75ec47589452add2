/**
 * Events in parts small enough to be shown: what is indexed, found and cited. The same event always has the same chunks, so an
 * index that was deleted comes back as it was. (DESIGN.md, "Finding")
 */
import { estimateTokens } from "../core/tokens.ts";
import type { Event } from "./event.ts";
import { eventText } from "./event-text.ts";

export interface Chunk {
  /** `chk_`, the ULID of its event, and its number from 01 on. */
  readonly id: string;
  readonly text: string;
}

/** A chunk's estimated tokens, where the text of its event has more. @internal */
export const LEAST_TOKENS = 400;
/** @internal */
export const MOST_TOKENS = 800;
/** The most characters of a piece; a character takes about one token at most. */
const SLICE = 100;
/** Characters of a text that is seldom too long for a chunk. */
const SHORT = 4000;

/** By how much smaller the parts become when they were too big. */
const LESS = 0.9;

/** A part of a text up to a place where it can be cut. */
interface Piece {
  readonly end: number;
  readonly tokens: number;
  /** What ends there: 3 a paragraph, 2 a line, 1 a sentence, 0 a word or less. */
  readonly border: number;
}

/** The chunks of an event, in order; none where it says nothing. Joined they give its text. */
export function chunksOf(event: Event): Chunk[] {
  return cutText(eventText(event)).map((text, index) => ({ id: chunkId(event.id, index + 1), text }));
}

/** @param part from 1 on. */
export function chunkId(event: string, part: number): string {
  return `chk_${event.slice("evt_".length)}_${String(part).padStart(2, "0")}`;
}

/** The id of the event that a chunk is a part of. */
export function eventOfChunk(chunk: string): string {
  return `evt_${chunk.slice("chk_".length, chunk.lastIndexOf("_"))}`;
}

/**
 * Cuts a text at the end of a paragraph where there is one, else of a line, a sentence or a word, into parts of at most 800
 * estimated tokens and, within the error of adding estimates up, at least 400. A text of no more than 800 stays whole.
 *
 * @internal
 */
export function cutText(text: string): string[] {
  if (text === "") return [];
  return text.length <= SHORT && isSmall(text) ? [text] : cutLong(text, MOST_TOKENS);
}

/** The estimate, which is most of the work, is never higher than the number of characters. */
function isSmall(text: string): boolean {
  return text.length <= MOST_TOKENS || estimateTokens(text) <= MOST_TOKENS;
}

/** @param most estimated tokens of a part, as the sum of its pieces. */
function cutLong(text: string, most: number): string[] {
  const ends = endsOf(piecesOf(text), most);
  const parts = ends.map((end, index) => text.slice(ends[index - 1] ?? 0, end));
  // The estimate for a whole can be higher than the sum for its pieces.
  return parts.flatMap((part) => (isSmall(part) ? [part] : cutLong(part, most * LESS)));
}

function endsOf(pieces: readonly Piece[], most: number): number[] {
  let rest = pieces.reduce((sum, { tokens }) => sum + tokens, 0);
  const ends: number[] = [];
  for (let from = 0; from < pieces.length; ) {
    const whole = { next: pieces.length, tokens: rest };
    const { next, tokens } = rest <= most ? whole : cutAfter(pieces, from, Math.min(most, rest - LEAST_TOKENS));
    ends.push((pieces[next - 1] as Piece).end);
    rest -= tokens;
    from = next;
  }
  return ends;
}

/** The last of the best borders before which there is enough, and not too much. */
function cutAfter(pieces: readonly Piece[], from: number, most: number): { next: number; tokens: number } {
  let best = { next: from + 1, tokens: (pieces[from] as Piece).tokens, border: -1 };
  let tokens = 0;
  for (let at = from; at < pieces.length; at++) {
    const piece = pieces[at] as Piece;
    tokens += piece.tokens;
    if (tokens > most) break;
    // Until there is enough, any later place is better.
    const border = tokens < LEAST_TOKENS ? -1 : piece.border;
    if (border >= best.border) best = { next: at + 1, tokens, border };
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
  lines.forEach((line, index) => {
    const isParagraph = BLANK.test(lines[index + 1] ?? "") || BLANK.test(line);
    addLine(text, start, line, isParagraph ? 3 : 2, pieces);
    start += line.length;
  });
  return pieces;
}

/** A line is one piece, or its sentences, or what fits of them. */
function addLine(text: string, start: number, line: string, border: number, pieces: Piece[]): void {
  if (line.length <= SLICE) {
    addPiece(text, start, start + line.length, border, pieces);
    return;
  }
  const sentenceEnds = [...line.matchAll(SENTENCE)].map(({ index, 0: space }) => index + space.length);
  const ends = [...sentenceEnds.filter((end) => end > 0 && end < line.length), line.length];
  let from = 0;
  for (const end of ends) {
    while (end - from > SLICE) {
      const slice = from + sliceLength(line, from);
      addPiece(text, start + from, start + slice, 0, pieces);
      from = slice;
    }
    addPiece(text, start + from, start + end, end === line.length ? border : 1, pieces);
    from = end;
  }
}

/** To the last space in reach; no character is cut in two. */
function sliceLength(line: string, from: number): number {
  const space = line.lastIndexOf(" ", from + SLICE - 1) + 1 - from;
  if (space > 0) return space;
  return /[\ud800-\udbff]/.test(line.charAt(from + SLICE - 1)) ? SLICE - 1 : SLICE;
}

/** The estimate counts a line break together with the space after it. */
function addPiece(text: string, start: number, end: number, border: number, pieces: Piece[]): void {
  const from = text[start - 1] === "\n" ? start - 1 : start;
  pieces.push({ end, tokens: estimateTokens(text.slice(from, end)), border });
}
