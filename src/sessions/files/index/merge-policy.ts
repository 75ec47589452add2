/** Which segments become one: few segments make searches fast, and a small one that went with its day is made again soon. */

export interface Sized {
  /** `2026-11`; no segment covers two. */
  readonly month: string;
  readonly bytes: number;
}

/** A segment becomes one with smaller ones that have this share of its bytes together: in a month that still grows, and in others. */
const GROWING_SHARE = 1 / 2;
const GROWN_SHARE = 1 / 8;

/** Segments of a month that are to become one. @param growing the months of which more comes. @param most bytes of that one. */
export function toMerge<Segment extends Sized>(
  segments: readonly Segment[],
  growing: ReadonlySet<string>,
  most: number,
): readonly Segment[] {
  for (const month of new Set(segments.map((segment) => segment.month))) {
    const share = growing.has(month) ? GROWING_SHARE : GROWN_SHARE;
    const bySize = segments
      .filter((segment) => segment.month === month)
      .sort((a, b) => a.bytes - b.bytes);
    const group = groupIn(bySize, share, most);
    if (group.length > 1) return group;
  }
  return [];
}

/** The smallest ones, up to the last that is not much larger than those before it together. */
function groupIn<Segment extends Sized>(
  bySize: readonly Segment[],
  share: number,
  most: number,
): readonly Segment[] {
  let end = 0;
  let sum = 0;
  for (const [at, { bytes }] of bySize.entries()) {
    if (sum + bytes > most) break;
    if (at > 0 && sum >= bytes * share) end = at + 1;
    sum += bytes;
  }
  return bySize.slice(0, end);
}
