/** The sorts of characters by which a tokenizer cuts a text, before it looks anything up. */

/** Characters of these stand together; 0 stands after the end. */
export const [BLANKS, DIGITS, LETTERS, SIGNS] = [1, 2, 3, 4];

/** A sort is twice its run, or one more. */
export const [BREAK, UPPER] = [2, 6];
const [SPACE, DIGIT, LETTER, SIGN] = [3, 4, 7, 8];

const PATTERNS: readonly (readonly [number, RegExp])[] = [
  [BREAK, /[\r\n]/],
  [SPACE, /\s/],
  [DIGIT, /\p{N}/u],
  [UPPER, /[\p{Lu}\p{Lt}]/u],
  [LETTER, /[\p{L}\p{M}]/u],
];

/** The sorts of the UTF-16 units that were met. */
const known = new Uint8Array(2 ** 16);

/** A half of a character above U+FFFF is a sign. */
export const sortOf = (code: number): number => known[code] || lookUp(code);

function lookUp(code: number): number {
  const character = String.fromCharCode(code);
  const sort = PATTERNS.find(([, pattern]) => pattern.test(character))?.[0] ?? SIGN;
  known[code] = sort;
  return sort;
}

/** The run to which the character at a place belongs; 0 after the end. */
export const runAt = (text: string, at: number): number =>
  at < text.length ? sortOf(text.charCodeAt(at)) >> 1 : 0;
