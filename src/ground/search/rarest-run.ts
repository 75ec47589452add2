/** Selects the consecutive pieces of a text that best match a query, for when the whole text is too large to show. */
import { countEach } from "../core/collections.ts";

interface Piece {
  /** In the same unit as `room`. */
  readonly size: number;
  /** The query terms in the piece, without repetitions. */
  readonly terms: readonly string[];
}

/** Sums closer than this are equal, apart from rounding. */
const ROUNDING = 1e-9;

/** Finds the run of at least one piece that fits `room` and contains the rarest terms. Ties prefer the first run. @returns its start, and its exclusive end. */
export function rarestRun(pieces: readonly Piece[], room: number): [number, number] {
  const holding = countEach(pieces.flatMap(({ terms }) => terms));
  const within = new Map<string, number>();
  let best: [number, number] = [0, 1];
  let [bestWorth, size, worth, from] = [-1, 0, 0, 0];
  const count = ({ size: own, terms }: Piece, by: 1 | -1) => {
    size += by * own;
    for (const term of terms) {
      const times = (within.get(term) ?? 0) + by;
      within.set(term, times);
      if (times === (by > 0 ? 1 : 0)) worth += by / (holding.get(term) ?? 1);
    }
  };
  const isNeeded = ({ terms }: Piece) => terms.some((term) => within.get(term) === 1);
  for (const [at, piece] of pieces.entries()) {
    count(piece, 1);
    for (
      let first = pieces[from];
      first && from < at && (size > room || !isNeeded(first));
      first = pieces[++from]
    )
      count(first, -1);
    if (worth > bestWorth + ROUNDING) [best, bestWorth] = [[from, at + 1], worth];
  }
  return grown(pieces, best, room);
}

/** Extends a run evenly in both directions while pieces fit. */
function grown(
  pieces: readonly Piece[],
  [first, end]: [number, number],
  room: number,
): [number, number] {
  let left = room - pieces.slice(first, end).reduce((sum, { size }) => sum + size, 0);
  let [from, to] = [first, end];
  const fits = (piece: Piece | undefined) => piece !== undefined && piece.size <= left;
  while (fits(pieces[to]) || fits(pieces[from - 1])) {
    if (fits(pieces[to])) left -= pieces[to++]?.size ?? 0;
    if (fits(pieces[from - 1])) left -= pieces[--from]?.size ?? 0;
  }
  return [from, to];
}
