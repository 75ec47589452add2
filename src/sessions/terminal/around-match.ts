/** The part of a found text that a person sees: the lines around what matched, because an answer stands there and not at the beginning. */
import fastStringTruncatedWidth from "fast-string-truncated-width";
import { rarestRun } from "../../ground/search/rarest-run.ts";
import { tokenize } from "../../ground/search/tokenizer.ts";
import { safeLine } from "../../ground/terminal/layout.ts";

interface Shape {
  readonly mostLines: number;
  /** The most cells of a terminal that a line takes; a longer one continues in the next. */
  readonly width: number;
}

/** Before or after lines where there are more of the text. */
const MORE = "…";

/** The run of lines with the rarest words of a query, without blank ones, safe to print; where the text goes on, its first or last line shows so. */
export function aroundMatch(text: string, query: string, { mostLines, width }: Shape): string[] {
  // A cell of a line is kept for each mark.
  const lines = text
    .split("\n")
    .flatMap((line) => wrapped(line, Math.max(1, width - 2 * MORE.length)));
  if (lines.length <= mostLines) return lines;
  const wanted = new Set(tokenize(query));
  const pieces = lines.map((line) => ({
    size: 1,
    terms: [...new Set(tokenize(line))].filter((term) => wanted.has(term)),
  }));
  const [start, end] = rarestRun(pieces, mostLines);
  return lines.slice(start, end).map((line, at, shown) => {
    const isFirst = at === 0 && start > 0;
    const isLast = at === shown.length - 1 && end < lines.length;
    return `${isFirst ? MORE : ""}${line}${isLast ? MORE : ""}`;
  });
}

/** A line in parts of at most so many cells, cut at blanks where there are some. */
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
