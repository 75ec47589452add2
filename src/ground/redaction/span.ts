/** Where a secret stands: what detectors exchange. A detector reads a text and returns spans; only `mask` changes text. */

import { lowerBound } from "../core/lower-bound.ts";
import type { Occurrences } from "./search/automaton.ts";

/** What stands where a secret or an own word was. */
export const MARK = "[REDACTED]";
/** What stands for a secret, an own word or a private passage. */
export const MARKS = /\[(?:REDACTED|PRIVATE)\]/g;

/** A part of a text. */
export interface Place {
  readonly start: number;
  /** One past the last character. */
  readonly end: number;
}

export interface Span extends Place {
  /** A stable short name such as "password" or "github-token"; never the value. */
  readonly kind: string;
}

/** The places in a text that all detectors start from. */
export interface Landmarks {
  readonly literals: Occurrences;
  /** The long runs of characters that may contain a generated value. */
  readonly runs: readonly Place[];
}

/** The span of a secret by what it is, which stands at `start`. */
export const spanOf = (start: number, secret: string, kind: string): Span => ({
  start,
  end: start + secret.length,
  kind,
});

/** Adds secrets of one sort to what the detectors before found. Patterns go through `matchAll` or are sticky: no state leaks between calls. */
export type Detector = (text: string, landmarks: Landmarks, spans: Span[]) => void;

/** Spans that touch or overlap are one secret; the kind found first (by the most specific detector) names it. */
export function merge(spans: readonly Span[]): Span[] {
  const ordered = spans
    .map((span, rank) => ({ span, rank }))
    .sort((a, b) => a.span.start - b.span.start || a.rank - b.rank);
  const merged: Span[] = [];
  let least = 0; // the rank of the last one
  for (const { span, rank } of ordered) {
    const last = merged.at(-1);
    if (!last || span.start >= last.end) {
      merged.push(span);
      least = rank;
      continue;
    }
    if (rank > least && span.end <= last.end) continue;
    const { kind } = rank < least ? span : last;
    merged[merged.length - 1] = { start: last.start, end: Math.max(last.end, span.end), kind };
    least = Math.min(least, rank);
  }
  return merged;
}

/** Does a stretch of the text touch one of these places, which are in order and do not overlap? */
export function touching(merged: readonly Place[]): (start: number, end: number) => boolean {
  return (start, end) => (firstAfter(merged, start)?.start ?? end) < end;
}

/** Is it wholly inside one of them? */
export function covering(merged: readonly Place[]): (start: number, end: number) => boolean {
  return (start, end) => {
    const span = firstAfter(merged, start);
    return span !== undefined && span.start <= start && end <= span.end;
  };
}

/** The first place that ends after a position. */
function firstAfter(merged: readonly Place[], position: number): Place | undefined {
  return merged[lowerBound(0, merged.length, (at) => (merged[at] as Place).end > position)];
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

/** Where the line of a place ends. */
export function endOfLine(text: string, index: number): number {
  const end = text.indexOf("\n", index);
  return end < 0 ? text.length : end;
}

/** What a sticky pattern matches exactly at `index`, or undefined. */
export function matchAt(pattern: RegExp, text: string, index: number): RegExpExecArray | undefined {
  pattern.lastIndex = index;
  return pattern.exec(text) ?? undefined;
}

/** What `matchAll` gives, without the copy of the pattern that it makes for each text: most texts are short, and match none. */
export function matchesIn(text: string, pattern: RegExp): RegExpExecArray[] {
  const found: RegExpExecArray[] = [];
  for (let from = 0; ; ) {
    const match = matchAt(pattern, text, from);
    if (match === undefined) return found;
    found.push(match);
    from = match.index + Math.max(1, match[0].length);
  }
}
