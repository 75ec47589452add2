/** Where a secret stands: what detectors exchange. A detector reads a text and returns spans; only `mask` changes text. */

/** What stands where a secret or an own word was. */
export const MARK = "[REDACTED]";

export interface Span {
  readonly start: number;
  /** One past the last character. */
  readonly end: number;
  /** A stable short name such as "password" or "github-token"; never the value. */
  readonly kind: string;
}

/** Finds secrets of one sort. Pure; patterns are only used through `matchAll` or are sticky, so no state leaks between calls. */
export type Detector = (text: string) => Span[];

/** Spans that touch or overlap are one secret; the kind found first (by the most specific detector) names it. */
export function merge(spans: readonly Span[]): Span[] {
  const ordered = spans.map((span, rank) => ({ ...span, rank })).sort((a, b) => a.start - b.start || a.rank - b.rank);
  const merged: ((typeof ordered)[number] & Span)[] = [];
  for (const span of ordered) {
    const last = merged.at(-1);
    if (!last || span.start >= last.end) merged.push(span);
    else {
      const named = span.rank < last.rank ? span : last;
      merged[merged.length - 1] = { ...named, start: last.start, end: Math.max(last.end, span.end) };
    }
  }
  return merged;
}

/** Does a stretch of the text touch one of these spans, which `merge` has put in order? */
export function touching(merged: readonly Span[]): (start: number, end: number) => boolean {
  return (start, end) => {
    let low = 0;
    let high = merged.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((merged[middle] as Span).end <= start) low = middle + 1;
      else high = middle;
    }
    return (merged[low]?.start ?? end) < end;
  };
}

/** The text with every span replaced by the mark. Built by index: a replacement string would interpret `$&` in a note. */
export function mask(text: string, merged: readonly Span[]): string {
  let out = "";
  let from = 0;
  for (const { start, end } of merged) {
    out += text.slice(from, start) + MARK;
    from = end;
  }
  return out + text.slice(from);
}

/** What a sticky pattern matches exactly at `index`, or undefined. */
export function matchAt(pattern: RegExp, text: string, index: number): RegExpExecArray | undefined {
  pattern.lastIndex = index;
  return pattern.exec(text) ?? undefined;
}
