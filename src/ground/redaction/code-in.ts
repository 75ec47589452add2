/** Where a text is code: fenced blocks and inline code, as Markdown has them. A tag in there is literal. */
import { matchAt } from "./span.ts";

interface Code {
  readonly start: number;
  readonly end: number;
}

const MAY_BEGIN = /^[ \t]*(?:`{3}|~{3})|`/gm;
/** A line that opens a block; its end. Runs are bounded, so that time is linear. */
const FENCE = /^[ \t]*(`{3,99}|~{3,99})[^\n]*\n?/my;
const INLINE = /(`{1,99})(?!`)(?:[^`\n]|(?!\1(?!`))`)+\1(?!`)/y;
const SHORTEST = 3;

/** From the first to the last; none lies in another. A block that nothing closes runs to the end. */
export function codeIn(text: string): Code[] {
  const found: Code[] = [];
  const closing = closingFences(text);
  for (let from = 0; ; ) {
    const start = matchAt(MAY_BEGIN, text, from)?.index;
    if (start === undefined) return found;
    const [line = "", fence] = matchAt(FENCE, text, start) ?? [];
    const end = fence ? closing(fence, start + line.length) : endOfInline(text, start);
    if (end !== undefined) found.push({ start, end });
    from = end ?? start + 1;
  }
}

function endOfInline(text: string, start: number): number | undefined {
  const code = matchAt(INLINE, text, start)?.[0];
  return code === undefined ? undefined : start + code.length;
}

/**
 * Where the line ends that closes a fence: the next one with as many marks; where there is none, with one mark less, and so on. For
 * fences in their order, so that a number of marks that stands nowhere is sought once.
 */
function closingFences(text: string): (fence: string, from: number) => number {
  const most = new Map<string, number>();
  return (fence, from) => {
    const mark = fence.charAt(0);
    for (let marks = Math.min(fence.length, most.get(mark) ?? fence.length); marks >= SHORTEST; marks--) {
      const line = matchAt(new RegExp(`(?<=\\n)[ \\t]*${mark}{${marks}}[\`~]*[ \\t]*$`, "gm"), text, from);
      if (line) return line.index + line[0].length;
      most.set(mark, marks - 1);
    }
    return text.length;
  };
}
