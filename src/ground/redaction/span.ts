/** Places of secrets in a text. Detectors only return spans, and only `mask` changes the text. */

import { lowerBound } from "../core/collections.ts";

/** Replaces a secret or an own word. */
export const MARK = "[REDACTED]";
/** All marks, also the one of a private passage. */
export const MARKS = /\[(?:REDACTED|PRIVATE)\]/g;

/** A part of a text. */
export interface Place {
  readonly start: number;
  /** One past the last character. */
  readonly end: number;
}

export interface Span extends Place {
  /** A stable short name such as "password" or "github-token", never the value. */
  readonly kind: string;
}

/** The places in a text that all detectors start from. */
export interface Landmarks {
  /** Where words may begin that detectors search for, by their first characters in lower case. */
  readonly beginnings: ReadonlyMap<string, readonly number[]>;
  /** The long runs of characters that may contain a generated value. */
  readonly runs: readonly Place[];
}

/** The span of a secret that starts at `start`. */
export const spanOf = (start: number, secret: string, kind: string): Span => ({
  start,
  end: start + secret.length,
  kind,
});

/** Adds secrets of one sort to the spans that earlier detectors found. */
export type Detector = (text: string, landmarks: Landmarks, spans: Span[]) => void;

/** Joins spans that overlap into one secret. Its kind is that of the first. */
export function merge<Part extends Place>(spans: readonly Part[]): Part[] {
  const merged: Part[] = [];
  for (const span of spans.toSorted((a, b) => a.start - b.start)) {
    const last = merged.at(-1);
    if (!last || span.start >= last.end) {
      merged.push(span);
    } else if (span.end > last.end) {
      merged[merged.length - 1] = { ...last, end: span.end };
    }
  }
  return merged;
}

/** @returns whether a part of the text touches one of these places, which are in order and don't overlap. */
export function touching(merged: readonly Place[]): (start: number, end: number) => boolean {
  return (start, end) => {
    const next = firstAfter(merged, start);
    return next !== undefined && next.start < end;
  };
}

/** @returns whether a part of the text is inside one of these places. */
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

/** Replaces every span with the mark. */
export function mask(text: string, merged: readonly Span[]): string {
  let out = "";
  let from = 0;
  for (const { start, end } of merged) {
    out += text.slice(from, start) + MARK;
    from = end;
  }
  return out + text.slice(from);
}

/** The end of the line at an index. */
export function endOfLine(text: string, index: number): number {
  const end = text.indexOf("\n", index);
  return end < 0 ? text.length : end;
}

/** The match of a sticky pattern at `index`, or the first match of a global one from there. */
export function matchAt(pattern: RegExp, text: string, index: number): RegExpExecArray | undefined {
  pattern.lastIndex = index;
  return pattern.exec(text) ?? undefined;
}

/** All matches of a global pattern. Unlike `matchAll`, it doesn't copy the pattern for each text. */
export function matchesIn(text: string, pattern: RegExp): RegExpExecArray[] {
  const found: RegExpExecArray[] = [];
  for (let from = 0; ; ) {
    const match = matchAt(pattern, text, from);
    if (match === undefined) {
      return found;
    }
    found.push(match);
    from = match.index + Math.max(1, match[0].length);
  }
}
