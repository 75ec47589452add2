/** Removes private passages between a pair of tags. */
import { matchAt, matchesIn, type Place, touching } from "./span.ts";

/** Replaces a private passage. */
const PRIVATE_MARK = "[PRIVATE]";

/** A slash before or after the name, and attributes with or without a value. Blanks and attributes are bounded, so that time is linear. */
const ATTRIBUTE = String.raw`\s{1,99}[\w:-]+(?:\s{0,9}=\s{0,9}(?:"[^"]*"|'[^']*'|[^\s"'<>\]]+))?`;
const INSIDE = String.raw`\s{0,9}(\/?)\s{0,9}private((?:${ATTRIBUTE}){0,20})\s{0,99}\/?\s{0,9}`;
const TAG = new RegExp(String.raw`<${INSIDE}>|\[${INSIDE}\]|<!--${INSIDE}-->`, "gi");
const SESSION_TAG = /<\s{0,9}\/?\s{0,9}private-session\s{0,9}\/?\s{0,9}>/gi;

/** Whether a text contains the tag that excludes a whole session. Ignores code. */
export function namesPrivateSession(text: string): boolean {
  const isCode = touching(codeIn(text));
  return matchesIn(text, SESSION_TAG).some(({ index }) => !isCode(index, index + 1));
}

interface Tag extends Place {
  readonly written: string;
  /** One of the three notations. A closing tag has the same one. */
  readonly notation: string;
  readonly closes: boolean;
  /** `[PRIVATE]` of an earlier call, and the placeholder `<private key>`, are tags only if something closes them. */
  readonly mayBeText: boolean;
}

/** The meaning of an unclosed tag: the text is refused, the rest is private, or the tag is text. */
type Unclosed = "refused" | "hides the rest" | "is text";

/** Replaces each outermost private passage with `[PRIVATE]`, and removes empty ones. @returns also the first unclosed tag, if it's refused. */
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
    if (open.closes || open.start < from) {
      continue; // an unmatched closing tag is text, and a nested passage is gone
    }
    const close = closing.get(open);
    if (!close && (open.mayBeText || without === "is text")) {
      continue;
    }
    if (!close && without === "refused") {
      return { text, count: 0, unclosed: open.written };
    }
    out += text.slice(from, open.start);
    const isEmpty = text.slice(open.end, close?.start).trim() === "";
    if (!isEmpty) {
      out += PRIVATE_MARK;
      count++;
    }
    from = close?.end ?? text.length;
  }
  return from === 0 ? { text, count } : { text: tidied(out + text.slice(from)), count };
}

/** Removes the blank lines that passages left behind. */
const tidied = (text: string): string => text.replace(/\n[ \t]*\n(?:[ \t]*\n)+/g, "\n\n").trim();

/** The closing tag of each opening tag, counting nested tags of the same notation. */
function closingTags(tags: readonly Tag[]): Map<Tag, Tag> {
  const closing = new Map<Tag, Tag>();
  const open = new Map<string, Tag[]>();
  for (const tag of tags) {
    const waiting = open.get(tag.notation) ?? [];
    open.set(tag.notation, waiting);
    if (!tag.closes) {
      waiting.push(tag);
      continue;
    }
    const opened = waiting.pop();
    if (opened) {
      closing.set(opened, tag);
    }
  }
  return closing;
}

function tagsOf(text: string): Tag[] {
  const isCode = touching(codeIn(text));
  const tags: Tag[] = [];
  for (const match of matchesIn(text, TAG)) {
    if (isCode(match.index, match.index + 1)) {
      continue;
    }
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
/** The line that opens a fenced block. Runs are bounded, so that time is linear. */
const FENCE = /^[ \t]*(`{3,99}|~{3,99})[^\n]*\n?/my;
const INLINE = /(`{1,99})(?!`)(?:[^`\n]|(?!\1(?!`))`)+\1(?!`)/y;
const SHORTEST = 3;

/** Fenced and inline code in Markdown, in order. An unclosed block runs to the end. */
function codeIn(text: string): Place[] {
  const found: Place[] = [];
  const closing = closingFences(text);
  for (let from = 0; ; ) {
    const start = matchAt(MAY_BEGIN, text, from)?.index;
    if (start === undefined) {
      return found;
    }
    const [line = "", fence] = matchAt(FENCE, text, start) ?? [];
    const end = fence ? closing(fence, start + line.length) : endOfInline(text, start);
    if (end !== undefined) {
      found.push({ start, end });
    }
    from = end ?? start + 1;
  }
}

function endOfInline(text: string, start: number): number | undefined {
  const code = matchAt(INLINE, text, start)?.[0];
  return code === undefined ? undefined : start + code.length;
}

/**
 * Returns a function that finds the end of the line that closes a fence: the next line with the same number of marks, or else with
 * fewer. Call it for the fences in order, so that it searches each number of marks once.
 */
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
      if (line) {
        return line.index + line[0].length;
      }
      most.set(mark, marks - 1);
    }
    return text.length;
  };
}
