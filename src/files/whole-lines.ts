/** Reads the lines of a file that another program appends to, from a place on, without holding more than one of them. */
import type { FileHandle } from "node:fs/promises";

const LINE_FEED = 0x0a;
const CHUNK_BYTES = 256 * 1024;

export interface WholeLine {
  /** Undefined for a line that is too long to be read. */
  readonly text: string | undefined;
  /** Where the next line begins. */
  readonly end: number;
}

/**
 * The lines from an offset on, without a last one that has no end yet. Blank lines are left out.
 *
 * @param mostBytes of a line; a longer one is passed over.
 */
export async function* wholeLines(file: FileHandle, offset: number, mostBytes: number): AsyncGenerator<WholeLine> {
  let pieces: Buffer[] = [];
  let held = 0;
  let at = offset;
  for (;;) {
    // The pieces of a line are kept, so each is a buffer of its own.
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(CHUNK_BYTES), 0, CHUNK_BYTES, at);
    if (bytesRead === 0) return;
    const chunk = buffer.subarray(0, bytesRead);
    for (let start = 0; start < chunk.length; ) {
      const feed = chunk.indexOf(LINE_FEED, start);
      const piece = chunk.subarray(start, feed < 0 ? chunk.length : feed);
      held += piece.length;
      if (held <= mostBytes) pieces.push(piece);
      else pieces = [];
      if (feed < 0) break;
      start = feed + 1;
      if (held > mostBytes) yield { text: undefined, end: at + start };
      else if (held > 0) yield { text: textOf(pieces, held), end: at + start };
      pieces = [];
      held = 0;
    }
    at += bytesRead;
  }
}

function textOf(pieces: readonly Buffer[], length: number): string {
  return pieces.length === 1 ? (pieces[0] as Buffer).toString("utf8") : Buffer.concat(pieces, length).toString("utf8");
}
