/**
 * A view is a text as another program would read it (docs/design/ground.md, "Redaction"). Detectors read the view, and a map of
 * positions leads back to the original. It contains only the lines that read differently and their neighbors.
 */
import { lowerBound } from "../../core/collections.ts";
import { endOfLine, type Span } from "../span.ts";

export interface View {
  readonly text: string;
  /** The parts of the view, in order. */
  readonly stretches: readonly Stretch[];
}

/** A part of a view, either copied or in place of an edited part of the original. */
interface Stretch {
  /** The start in the view. */
  readonly at: number;
  /** The start in the original. */
  readonly start: number;
  /** The end of the edited part of the original, or undefined for a copy. */
  readonly end?: number;
}

/** A part of the original that reads differently. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly reads: string;
}

/** Applies edits to a text. @param edits in order. @returns undefined without edits. */
export function rewrite(text: string, edits: Iterable<Edit>): View | undefined {
  const stretches: Stretch[] = [];
  let view = "";
  const copy = (start: number, end: number) => {
    if (start >= end) return;
    stretches.push({ at: view.length, start });
    view += text.slice(start, end);
  };
  const replace = ({ start, end, reads }: Edit) => {
    if (reads === "") return;
    stretches.push({ at: view.length, start, end });
    view += reads;
  };
  const endOfRegion = regionEnds(text);
  let from = 0;
  let regionEnd = 0;
  for (const edit of edits) {
    const isWithin = edit.start <= regionEnd;
    const start = isWithin ? from : Math.max(from, startOfRegion(text, edit.start));
    if (start > regionEnd) {
      copy(from, regionEnd);
      if (regionEnd > 0) replace({ start: regionEnd, end: regionEnd, reads: "\n\n" });
      from = start;
    }
    copy(from, edit.start);
    replace(edit);
    from = edit.end;
    regionEnd = endOfRegion(from);
  }
  copy(from, regionEnd);
  return regionEnd > 0 ? { text: view, stretches } : undefined;
}

/** The most characters of a line in a view, and the characters around an edit in a longer line. */
const LONGEST_LINE = 2000;
const AROUND = 500;

/** The start of the line before, or closer if lines are long. */
function startOfRegion(text: string, index: number): number {
  const near = text.slice(Math.max(0, index - LONGEST_LINE), index);
  const line = near.lastIndexOf("\n");
  const before = line <= 0 ? -1 : near.lastIndexOf("\n", line - 1);
  if (before >= 0) return index - near.length + before + 1;
  return near.length < LONGEST_LINE ? 0 : index - AROUND;
}

/** A function that returns the end of the next line, or closer if lines are long. Positions must grow, so each line end is searched once. */
function regionEnds(text: string): (index: number) => number {
  let line = -1;
  let nextLine = -1;
  return (index) => {
    while (line < index) {
      line = nextLine;
      if (line < index) line = endOfLine(text, index);
      nextLine = endOfLine(text, line + 1);
    }
    if (nextLine - index < LONGEST_LINE) return nextLine;
    return text.length - index < LONGEST_LINE ? text.length : index + AROUND;
  };
}

/** Maps spans of a view to the original. */
export function inOriginal(view: View, found: readonly Span[]): Span[] {
  return found
    .filter(({ start, end }) => end > start)
    .map(({ start, end, kind }) => ({
      start: originOf(view, start).start,
      end: originOf(view, end - 1).end,
      kind,
    }));
}

/** The part of the original that a character of the view comes from. */
function originOf({ stretches }: View, position: number): { start: number; end: number } {
  const after = lowerBound(0, stretches.length, (i) => (stretches[i] as Stretch).at > position);
  const { at, start, end } = stretches[after - 1] as Stretch;
  if (end !== undefined) return { start, end };
  const copied = start + position - at;
  return { start: copied, end: copied + 1 };
}
