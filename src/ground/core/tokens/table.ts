/**
 * What the estimate knows of a vocabulary, in a few kilobytes: which characters are one token, which blocks of them are two, and which pairs
 * often stand together in a token. The vocabulary itself has megabytes.
 */
import { TOKEN_TABLE } from "./table-data.ts";

/** So many characters have all of their bytes in UTF-8 but the last in common. @internal */
export const BLOCK = 64;
export const ASCII = 0x80;
const TWO_BYTES = 0x800;
const PLACES = 2 ** 16;
const HASH_BITS = 15;

/** A bit for each pair of ASCII, then for each character below U+10000, for each block below U+20000, and for the other pairs. */
const CHARACTERS_FROM = ASCII * ASCII;
const BLOCKS_FROM = CHARACTERS_FROM + PLACES;
/** @internal */
export const BLOCKS = (2 * PLACES) / BLOCK;
const OTHERS_FROM = BLOCKS_FROM + BLOCKS;
/** @internal */
export const BITS = OTHERS_FROM + 2 ** HASH_BITS;

/** @internal */
export function placeOfCharacter(code: number): number {
  return CHARACTERS_FROM + code;
}

/** @internal */
export function placeOfBlock(block: number): number {
  return BLOCKS_FROM + block;
}

/** Of two small letters, two signs, or a sign and a letter. Pairs of ASCII have a bit each, the others share theirs with a few more. @internal */
export function placeOfPair(a: number, b: number): number {
  if (a < ASCII && b < ASCII) return a * ASCII + b;
  return OTHERS_FROM + (Math.imul(Math.imul(a, 31) ^ Math.imul(b, 0x9e3779b1), 0x85ebca6b) >>> (32 - HASH_BITS));
}

let table: Uint8Array | undefined;

/** Read when the first text is estimated: most hooks estimate none. */
function read(): Uint8Array {
  table = fromRuns(Buffer.from(TOKEN_TABLE, "base64"), BITS);
  return table;
}

/** The lengths of runs of ones and of zeros in turn, each with as many zeros before its binary digits as it has digits after the first. */
function fromRuns(bytes: Uint8Array, length: number): Uint8Array {
  const bits = new Uint8Array(length);
  let place = 0;
  const next = () => ((bytes[place >> 3] as number) >> (place++ & 7)) & 1;
  for (let at = 0, value = 1; at < length; value = 1 - value) {
    let digits = 0;
    while (next() === 0) digits++;
    let run = 1;
    for (; digits > 0; digits--) run = run * 2 + next();
    bits.fill(value, at, at + run);
    at += run;
  }
  return bits;
}

function isSet(place: number): boolean {
  return (table ?? read())[place] === 1;
}

/** The tokens of a character below U+10000 that nothing joins to another. */
export function tokensOfOne(code: number): number {
  if (code < ASCII || isSet(CHARACTERS_FROM + code)) return 1;
  return code < TWO_BYTES || isSet(BLOCKS_FROM + (code >> 6)) ? 2 : 3;
}

/** The tokens of a character above U+FFFF. */
export function tokensOfPair(high: number, low: number): number {
  const block = (((high & 0x3ff) << 4) | ((low & 0x3ff) >> 6)) + PLACES / BLOCK;
  if (block >= BLOCKS) return 4;
  return isSet(BLOCKS_FROM + block) ? 2 : 3;
}

/** Whether a token often holds both. */
export function isCommonPair(a: number, b: number): boolean {
  return isSet(placeOfPair(a, b));
}
