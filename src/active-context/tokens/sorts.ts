/** The sorts of characters by which a tokenizer cuts a text, before it looks anything up. */

export const [BREAK, UPPER] = [1, 4];
const [SPACE, DIGIT, LETTER, SIGN] = [2, 3, 5, 6];

/** Characters of these stand together. */
export const [BLANKS, DIGITS, LETTERS, SIGNS] = [1, 2, 3, 4];
const RUNS = Uint8Array.of(0, BLANKS, BLANKS, DIGITS, LETTERS, LETTERS, SIGNS);

const PATTERNS: readonly (readonly [number, RegExp])[] = [
  [BREAK, /[\r\n]/],
  [SPACE, /\s/],
  [DIGIT, /\p{N}/u],
  [UPPER, /[\p{Lu}\p{Lt}]/u],
  [LETTER, /[\p{L}\p{M}]/u],
];

/** Of the UTF-16 units that were met. */
const known = new Uint8Array(2 ** 16);

/** A half of a character above U+FFFF is a sign. */
export function sortAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return known[code] || sortOf(code);
}

function sortOf(code: number): number {
  const character = String.fromCharCode(code);
  const sort = PATTERNS.find(([, pattern]) => pattern.test(character))?.[0] ?? SIGN;
  known[code] = sort;
  return sort;
}

/** What run the character at a place belongs to; 0 after the end. */
export function runAt(text: string, at: number): number {
  return at < text.length ? (RUNS[sortAt(text, at)] as number) : 0;
}
