/** Private passages, between a pair of tags, are not stored. A tag that is never closed is reported, and the caller refuses the text. */
import { matchAt, matchesIn, type Place, touching } from "./span.ts";

/** What stands where a private passage was. */
export const PRIVATE_MARK = "[PRIVATE]";

/** A slash before the name or behind it, and attributes, with a value or without; blanks and the number are bounded, so that time is linear. */
const ATTRIBUTE = String.raw`\s{1,99}[\w:-]+(?:\s{0,9}=\s{0,9}(?:"[^"]*"|'[^']*'|[^\s"'<>\]]+))?`;
const INSIDE = String.raw`\s{0,9}(\/?)\s{0,9}private((?:${ATTRIBUTE}){0,20})\s{0,99}\/?\s{0,9}`;
const TAG = new RegExp(String.raw`<${INSIDE}>|\[${INSIDE}\]|<!--${INSIDE}-->`, "gi");
const SESSION_TAG = /<\s{0,9}\/?\s{0,9}private-session\s{0,9}\/?\s{0,9}>/gi;

/** Whether a text holds the tag that leaves a whole session out; in code it is literal. */
export function namesPrivateSession(text: string): boolean {
  const isCode = touching(codeIn(text));
  return matchesIn(text, SESSION_TAG).some(({ index }) => !isCode(index, index + 1));
}

interface Tag extends Place {
  readonly written: string;
  /** Which of the three notations; a passage is closed in its own. */
  readonly notation: string;
  readonly closes: boolean;
  /** `[PRIVATE]`, which an earlier call left, and `<private key>`, a placeholder: tags only where something closes them. */
  readonly mayBeText: boolean;
}

/** What a tag that is never closed means: the text is refused, the rest of it is private, or the tag is text. */
type Unclosed = "refused" | "hides the rest" | "is text";

/** Replaces each outermost private passage by `[PRIVATE]`, an empty one by nothing. `unclosed` is the first opening tag that nothing closes. */
export function hidePrivate(
  text: string,
  without: Unclosed = "refused",
): { text: string; count: number; unclosed?: string } {
  const tags = tagsOf(text);
  const closing = closingTags(tags);
  let out = "";
  let from = 0;
  let count = 0;
  for (const open of tags) {
    if (open.closes || open.start < from) continue; // a closing tag with nothing to close is text; nested is gone
    const close = closing.get(open);
    if (!close && (open.mayBeText || without === "is text")) continue;
    if (!close && without === "refused") return { text, count: 0, unclosed: open.written };
    out += text.slice(from, open.start);
    if (text.slice(open.end, close?.start).trim()) {
      out += PRIVATE_MARK;
      count++;
    }
    from = close?.end ?? text.length;
  }
  if (from === 0) return { text, count };
  return {
    text: (out + text.slice(from)).replace(/\n[ \t]*\n(?:[ \t]*\n)+/g, "\n\n").trim(),
    count,
  };
}

/** For each opening tag the one that closes it, counting nested ones of the same notation. */
function closingTags(tags: readonly Tag[]): Map<Tag, Tag> {
  const closing = new Map<Tag, Tag>();
  const open = new Map<string, Tag[]>();
  for (const tag of tags) {
    const waiting = open.get(tag.notation) ?? [];
    open.set(tag.notation, waiting);
    const opened = tag.closes ? waiting.pop() : void waiting.push(tag);
    if (opened) closing.set(opened, tag);
  }
  return closing;
}

function tagsOf(text: string): Tag[] {
  const isCode = touching(codeIn(text));
  const tags: Tag[] = [];
  for (const match of matchesIn(text, TAG)) {
    if (isCode(match.index, match.index + 1)) continue;
    const [written, ...groups] = match;
    const attributes = (groups[1] ?? groups[3] ?? groups[5] ?? "").trim();
    tags.push({
      start: match.index,
      end: match.index + written.length,
      written,
      notation: /^(?:\[|<!?)/.exec(written)?.[0] ?? "",
      closes: Boolean(groups[0] || groups[2] || groups[4]),
      mayBeText: written === PRIVATE_MARK || (attributes !== "" && !attributes.includes("=")),
    });
  }
  return tags;
}

const MAY_BEGIN = /^[ \t]*(?:`{3}|~{3})|`/gm;
/** A line that opens a block; its end. Runs are bounded, so that time is linear. */
const FENCE = /^[ \t]*(`{3,99}|~{3,99})[^\n]*\n?/my;
const INLINE = /(`{1,99})(?!`)(?:[^`\n]|(?!\1(?!`))`)+\1(?!`)/y;
const SHORTEST = 3;

/** The code in a text, as Markdown has it, in order: fences and inline code. A tag in it is literal; an unclosed block runs to the end. */
function codeIn(text: string): Place[] {
  const found: Place[] = [];
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

/** Where the line ends that closes a fence: the next with as many marks, else one less, and so on. For fences in order; a number is sought once. */
function closingFences(text: string): (fence: string, from: number) => number {
  const most = new Map<string, number>();
  return (fence, from) => {
    const mark = fence.charAt(0);
    for (
      let marks = Math.min(fence.length, most.get(mark) ?? fence.length);
      marks >= SHORTEST;
      marks--
    ) {
      const line = matchAt(
        new RegExp(`(?<=\\n)[ \\t]*${mark}{${marks}}[\`~]*[ \\t]*$`, "gm"),
        text,
        from,
      );
      if (line) return line.index + line[0].length;
      most.set(mark, marks - 1);
    }
    return text.length;
  };
}
