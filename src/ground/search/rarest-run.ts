/** Selects the consecutive lines of a text that best match a query, for when the whole text is too large to show. */
import { countEach } from "../core/collections.ts";

/** The query terms in a line, without repetitions. */
type Terms = readonly string[];

/** A start, and an exclusive end. */
type Run = [number, number];

/** Sums closer than this are equal, apart from rounding. */
const ROUNDING = 1e-9;

/** Finds the run of lines with the rarest terms. Ties prefer the first run. @param most lines of the run. @returns its start, and its exclusive end. */
export function rarestRun(lines: readonly Terms[], most: number): Run {
  const holders = countEach(lines.flat());
  let best: Run = [0, 1];
  let bestWorth = 0;
  for (const last of lines.keys()) {
    const { first, worth } = bestEndingAt(last, lines, most, holders);
    if (worth <= bestWorth + ROUNDING) {
      continue;
    }
    best = [first, last + 1];
    bestWorth = worth;
  }
  return grown(best, lines.length, most);
}

/** Returns the shortest of the best runs that end with a line. A term counts more if fewer lines contain it. */
function bestEndingAt(
  last: number,
  lines: readonly Terms[],
  most: number,
  holders: ReadonlyMap<string, number>,
): { readonly first: number; readonly worth: number } {
  const within = new Set<string>();
  let best = last;
  let worth = 0;
  for (let first = last; first >= 0 && last - first < most; first--) {
    const added = (lines[first] as Terms).filter((term) => !within.has(term));
    if (added.length > 0) {
      best = first;
    }
    for (const term of added) {
      within.add(term);
      worth += 1 / (holders.get(term) ?? 1);
    }
  }
  return { first: best, worth };
}

/** Extends a run evenly in both directions, as far as the text goes. */
function grown(run: Run, length: number, most: number): Run {
  let [from, to] = run;
  while (to - from < Math.min(most, length)) {
    if (to < length) {
      to++;
    }
    if (from > 0 && to - from < most) {
      from--;
    }
  }
  return [from, to];
}
