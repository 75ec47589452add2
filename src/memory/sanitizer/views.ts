/**
 * The text as other programs would read it. A secret that is URL- or HTML-encoded, escaped in JSON, or broken over two
 * lines is found in such a view and removed from the original.
 */

import type { Layer, Span } from "./span.ts";

export interface View {
  readonly text: string;
  /** For each character of `text`, where it begins and ends in the original. */
  readonly starts: readonly number[];
  readonly ends: readonly number[];
}

const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: " " };
const ESCAPES: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t" };

/** What to undo, and how one match reads. */
const DECODERS: readonly (readonly [RegExp, (match: RegExpMatchArray) => string])[] = [
  [/%([0-9A-Fa-f]{2})/g, ([, hex = ""]) => String.fromCharCode(Number.parseInt(hex, 16))],
  [
    /&(?:#(\d{1,6})|#x([0-9a-f]{1,5})|(amp|lt|gt|quot|apos|nbsp));/gi,
    ([, decimal, hex, name]) =>
      name
        ? (ENTITIES[name.toLowerCase()] ?? "")
        : String.fromCodePoint(Math.min(0xffff, Number.parseInt(decimal ?? hex ?? "0", decimal ? 10 : 16))),
  ],
  [
    /\\+(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|\r?\n[ \t]*|([nrt"'/]))/g,
    ([, unicode, byte, letter]) =>
      letter
        ? (ESCAPES[letter] ?? letter)
        : unicode || byte
          ? String.fromCharCode(Number.parseInt(unicode ?? byte ?? "", 16))
          : "",
  ],
];

/** Decoded readings of a text; none for most texts. */
export function decodedViews(text: string): View[] {
  return DECODERS.filter(([pattern]) => text.search(pattern) >= 0).map(([pattern, read]) =>
    rewrite(text, pattern, read),
  );
}

/**
 * The text with tokens put together that were broken over lines, with their indentation, quoting or comment marks;
 * undefined when none is. A line that begins with a name of its own (`NAME=`, `name: `, `name==`) continues none.
 */
export function unwrappedView(text: string): View | undefined {
  const broken =
    /(?<=[A-Za-z0-9_+/=.-])["']?[ \t]*(?:\\|\+)?\r?\n[ \t>#*|"'+]*(?=[A-Za-z0-9_+/=-])(?!(?:export )?[\w.-]{1,80}["']?(?:[ \t]?:[ \t]|[ \t]?={1,2}[ \t]?[^\s=]|(?<=_\w{0,80})=\s))/g;
  return text.search(broken) >= 0 ? rewrite(text, broken, () => "") : undefined;
}

/** Finds in the view, answers in the original's positions. */
export function findIn(view: View, layer: Layer): Span[] {
  return layer(view.text).map(({ start, end, kind }) => ({
    start: view.starts[start] ?? 0,
    end: view.ends[end - 1] ?? 0,
    kind,
  }));
}

function rewrite(text: string, pattern: RegExp, read: (match: RegExpMatchArray) => string): View {
  const starts: number[] = [];
  const ends: number[] = [];
  let out = "";
  const put = (piece: string, start: number, end: number) => {
    for (let i = 0; i < piece.length; i++) {
      starts.push(start);
      ends.push(end);
    }
    out += piece;
  };
  const copy = (start: number, end: number) => {
    for (let i = start; i < end; i++) put(text.charAt(i), i, i + 1);
  };
  let from = 0;
  for (const match of text.matchAll(pattern)) {
    copy(from, match.index);
    from = match.index + match[0].length;
    put(read(match), match.index, from);
  }
  copy(from, text.length);
  return { text: out, starts, ends };
}
