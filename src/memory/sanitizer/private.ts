/**
 * Private passages (seed 3; issue 5, section 4): what stands between a pair of tags is not stored.
 *
 * Seed 3 ignores an opening tag that is never closed. Then a passage that somebody meant to keep private would be
 * stored, so such a tag is reported and the caller refuses.
 */

const PRIVATE_MARK = "[PRIVATE]";

const TAG = /<(\/?)private>|\[(\/?)private\]|<!--\s*(\/?)private\s*-->/gi;
/** Fenced blocks (a fence left open runs to the end) and inline code: tags inside are literal. */
const CODE =
  /^([ \t]*)(`{3,}|~{3,})[^\n]*\n(?:[\s\S]*?\n)?[ \t]*\2[`~]*[ \t]*$|^[ \t]*(?:`{3,}|~{3,})[\s\S]*|(`+)(?!`)(?:[^`\n]|(?!\3(?!`))`)+\3(?!`)/gm;

interface Tag {
  readonly start: number;
  readonly end: number;
  readonly written: string;
  /** Which of the three notations; a passage is closed in its own. */
  readonly notation: string;
  readonly closes: boolean;
}

/**
 * Replaces every private passage by `[PRIVATE]`; an empty one vanishes. Nested passages belong to the outer one.
 * `unclosed` is the first opening tag without its closing tag, as written; the text is then to be refused.
 */
export function hidePrivate(text: string): { text: string; count: number; unclosed?: string } {
  const tags = tagsOf(text);
  let out = "";
  let from = 0;
  let count = 0;
  for (let i = 0; i < tags.length; i++) {
    const open = tags[i] as Tag;
    if (open.closes) continue; // a closing tag with nothing to close is text
    const last = closing(tags, i);
    const close = tags[last];
    if (!close && open.written === PRIVATE_MARK) continue; // what an earlier call left in the place of a passage
    if (!close) return { text, count: 0, unclosed: open.written };
    out += text.slice(from, open.start);
    if (text.slice(open.end, close.start).trim()) {
      out += PRIVATE_MARK;
      count++;
    }
    from = close.end;
    i = last;
  }
  if (from === 0) return { text, count };
  return { text: (out + text.slice(from)).replace(/\n[ \t]*\n(?:[ \t]*\n)+/g, "\n\n").trim(), count };
}

/** The index of the tag that closes `tags[open]`, counting nested ones of the same notation; -1 when there is none. */
function closing(tags: readonly Tag[], open: number): number {
  let depth = 0;
  for (let i = open; i < tags.length; i++) {
    const tag = tags[i] as Tag;
    if (tag.notation !== tags[open]?.notation) continue;
    depth += tag.closes ? -1 : 1;
    if (depth === 0) return i;
  }
  return -1;
}

function tagsOf(text: string): Tag[] {
  const code = [...text.matchAll(CODE)].map((match) => ({ start: match.index, end: match.index + match[0].length }));
  const tags: Tag[] = [];
  for (const match of text.matchAll(TAG)) {
    if (code.some(({ start, end }) => match.index >= start && match.index < end)) continue;
    const notation = match[0].startsWith("[") ? "[" : match[0].startsWith("<!") ? "<!" : "<";
    tags.push({
      start: match.index,
      end: match.index + match[0].length,
      written: match[0],
      notation,
      closes: Boolean(match[1] || match[2] || match[3]),
    });
  }
  return tags;
}
