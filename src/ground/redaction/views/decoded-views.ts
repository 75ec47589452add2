/** Views of a text with its escapes, entities, colors and invisible characters decoded. */
import { matchAt } from "../span.ts";
import { type Edit, rewrite, type View } from "./view.ts";

interface Decoder {
  /** A quick check whether the pattern may match at all. */
  readonly mayMatch: (text: string) => boolean;
  readonly pattern: RegExp;
  /** The decoded text of a match. */
  readonly read: (match: RegExpExecArray) => string;
}

/** The beginning of a terminal color. */
const ESCAPE = "\u001b";
const SOFT_HYPHEN = "\u00ad";
/** Joiners, direction marks and byte order marks take no room. */
const UNSEEN = "\u200b-\u200f\u2060\ufeff";
const HAS_UNSEEN = new RegExp(`[${UNSEEN}]`);

const ENTITIES: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
};
const ESCAPES: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t" };
/** The distance of full-width characters from the characters that they read as. */
const FULL_WIDTH = 0xfee0;

const DECODERS: Readonly<Record<string, Decoder>> = {
  "invisible characters": {
    mayMatch: (text) =>
      text.includes(ESCAPE) || text.includes(SOFT_HYPHEN) || HAS_UNSEEN.test(text),
    pattern: new RegExp(`${ESCAPE}\\[[\\d;:?]{0,40}[A-Za-z]|[${SOFT_HYPHEN}${UNSEEN}]`, "g"),
    read: () => "",
  },
  URLs: {
    mayMatch: (text) => text.includes("%"),
    pattern: /%([0-9A-Fa-f]{2})/g,
    read: ([, hex = ""]) => characterOf(hex),
  },
  HTML: {
    mayMatch: (text) => text.includes("&"),
    pattern: /&(?:#(\d{1,6})|#x([0-9a-f]{1,5})|(amp|lt|gt|quot|apos|nbsp));/gi,
    read: ([, decimal, hex = "0", name]) => {
      if (name) return ENTITIES[name.toLowerCase()] ?? "";
      const code = decimal ? Number.parseInt(decimal, 10) : Number.parseInt(hex, 16);
      return String.fromCodePoint(Math.min(0xffff, code));
    },
  },
  "JSON and source code": {
    mayMatch: (text) => text.includes("\\"),
    pattern: /(?<!\\)\\+(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|\r?\n[ \t]*|([nrt"'/]))/g,
    read: ([, unicode, byte, letter]) => {
      if (letter) return ESCAPES[letter] ?? letter;
      const hex = unicode ?? byte;
      return hex ? characterOf(hex) : "";
    },
  },
  // ｐａｓｓｗｏｒｄ＝…, but not the full-width commas and colons of Chinese and Japanese sentences
  "full-width letters": {
    mayMatch: (text) => /[Ａ-Ｚａ-ｚ]/.test(text),
    pattern: /[０-９Ａ-Ｚ＿ａ-ｚ]|(?<=[\u3000！-～])[\u3000！-～]/g,
    read: ([character]) =>
      character === "\u3000" ? " " : String.fromCharCode(character.charCodeAt(0) - FULL_WIDTH),
  },
};

const characterOf = (hex: string): string => String.fromCharCode(Number.parseInt(hex, 16));

/** The decoded views of a text. Most texts have none. */
export function decodedViews(text: string): View[] {
  const views: View[] = [];
  for (const decoder of Object.values(DECODERS)) {
    const view = decoder.mayMatch(text) ? rewrite(text, editsOf(text, decoder)) : undefined;
    if (view) views.push(view);
  }
  return views;
}

/** Yields one edit at a time, because a text may consist of escapes, and collecting all matches takes longer than finding them. */
function* editsOf(text: string, { pattern, read }: Decoder): Iterable<Edit> {
  let from = 0;
  for (;;) {
    const match = matchAt(pattern, text, from);
    if (!match) return;
    from = match.index + match[0].length;
    yield { start: match.index, end: from, reads: read(match) };
  }
}
