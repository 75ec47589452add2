/** Shows a search hit as the lines around the match, because the answer is rarely at the beginning of the text. */
import fastStringTruncatedWidth from "fast-string-truncated-width";
import { rarestRun } from "../../ground/search/rarest-run.ts";
import { tokenize } from "../../ground/search/tokenizer.ts";
import { safeLine } from "../../ground/terminal/layout.ts";

interface Shape {
  readonly mostLines: number;
  /** The most terminal cells of a line. Longer lines are wrapped. */
  readonly width: number;
}

/** Marks the first or last shown line if there is more text before or after it. */
const MORE = "…";

/**
 * The consecutive lines with the rarest query words, without blank lines, safe to print. The first or last line is marked if there is more
 * text.
 */
export function aroundMatch(text: string, query: string, { mostLines, width }: Shape): string[] {
  // Leaves room for both marks.
  const lines = text
    .split("\n")
    .flatMap((line) => wrapped(line, Math.max(1, width - 2 * MORE.length)));
  if (lines.length <= mostLines) {
    return lines;
  }
  const wanted = new Set(tokenize(query));
  const found = lines.map((line) =>
    [...new Set(tokenize(line))].filter((term) => wanted.has(term)),
  );
  const [start, end] = rarestRun(found, mostLines);
  return lines.slice(start, end).map((line, at, shown) => {
    const isFirst = at === 0 && start > 0;
    const isLast = at === shown.length - 1 && end < lines.length;
    return `${isFirst ? MORE : ""}${line}${isLast ? MORE : ""}`;
  });
}

/** Wraps a line to `width` cells, at blanks if possible. */
function wrapped(line: string, width: number): string[] {
  const parts: string[] = [];
  for (let rest = safeLine(line).trimEnd(); rest.trim() !== ""; ) {
    const { index } = fastStringTruncatedWidth(rest.slice(0, width), {
      limit: width,
      ellipsis: "",
    });
    const blank = index < rest.length ? rest.lastIndexOf(" ", index) : -1;
    const end = blank > index / 2 ? blank : Math.max(1, index);
    parts.push(rest.slice(0, end));
    rest = rest.slice(end).trimStart();
  }
  return parts;
}
