/** Selects the consecutive pieces of a text that best match a query, for when the whole text is too large to show. */
import { countEach } from "../core/collections.ts";

interface Piece {
  /** In the same unit as `room`. */
  readonly size: number;
  /** The query terms in the piece, without repetitions. */
  readonly terms: readonly string[];
}

/** A start, and an exclusive end. */
type Run = [number, number];

/** Sums closer than this are equal, apart from rounding. */
const ROUNDING = 1e-9;

/** Finds the run of at least one piece that fits `room` and contains the rarest terms. Ties prefer the first run. @returns its start, and its exclusive end. */
export function rarestRun(pieces: readonly Piece[], room: number): Run {
  const holders = countEach(pieces.flatMap(({ terms }) => terms));
  let best: Run = [0, 1];
  let bestWorth = 0;
  for (const last of pieces.keys()) {
    const { first, worth } = bestEndingAt(last, pieces, room, holders);
    if (worth <= bestWorth + ROUNDING) continue;
    best = [first, last + 1];
    bestWorth = worth;
  }
  return grown(pieces, best, room);
}

/** The shortest of the best runs that end with a piece. A term is worth the more, the fewer pieces hold it. */
function bestEndingAt(
  last: number,
  pieces: readonly Piece[],
  room: number,
  holders: ReadonlyMap<string, number>,
): { readonly first: number; readonly worth: number } {
  const within = new Set<string>();
  let best = last;
  let size = 0;
  let worth = 0;
  for (let first = last; first >= 0; first--) {
    const piece = pieces[first] as Piece;
    size += piece.size;
    if (size > room && first < last) break;
    const added = piece.terms.filter((term) => !within.has(term));
    if (added.length > 0) best = first;
    for (const term of added) {
      within.add(term);
      worth += 1 / (holders.get(term) ?? 1);
    }
  }
  return { first: best, worth };
}

/** Extends a run evenly in both directions while pieces fit. */
function grown(pieces: readonly Piece[], run: Run, room: number): Run {
  let [from, to] = run;
  let left = room;
  for (const { size } of pieces.slice(from, to)) left -= size;
  const fits = (piece: Piece | undefined) => piece !== undefined && piece.size <= left;
  while (fits(pieces[to]) || fits(pieces[from - 1])) {
    if (fits(pieces[to])) left -= pieces[to++]?.size ?? 0;
    if (fits(pieces[from - 1])) left -= pieces[--from]?.size ?? 0;
  }
  return [from, to];
}
