/** The estimate's knowledge of a vocabulary: which characters are one token, which blocks two, and which pairs often share a token. */
import { CHARACTERS, PAIRS, PAIRS_OF_ASCII } from "./table-data.ts";

/** Characters that have all of their bytes in UTF-8 but the last in common. @internal */
export const BLOCK = 64;
export const ASCII = 0x80;
const TWO_BYTES = 0x800;
const PLACES = 2 ** 16;
const HASH_BITS = 15;

/** @internal */
export const BLOCKS = (2 * PLACES) / BLOCK;
/** A bit for each character below U+10000, then for each block below U+20000. @internal */
export const CHARACTER_BITS = PLACES + BLOCKS;
/** @internal */
export const ASCII_BITS = ASCII * ASCII;
/** @internal */
export const PAIR_BITS = 2 ** HASH_BITS;

/** @internal */
export const placeOfBlock = (block: number): number => PLACES + block;

/** @internal */
export const placeOfAsciiPair = (a: number, b: number): number => a * ASCII + b;

/** A pair that is not of ASCII shares its bit with a few others. @internal */
export function placeOfPair(a: number, b: number): number {
  return Math.imul(Math.imul(a, 31) ^ Math.imul(b, 0x9e3779b1), 0x85ebca6b) >>> (32 - HASH_BITS);
}

/** Each is read when it is needed: most hooks estimate nothing, and many no more than ASCII. */
let ascii: Uint8Array | undefined;
let characters: Uint8Array | undefined;
let pairs: Uint8Array | undefined;

function isSet(place: number): boolean {
  characters ??= fromRuns(Buffer.from(CHARACTERS, "base64"), CHARACTER_BITS);
  return characters[place] === 1;
}

/** Whether a token often holds both: two small letters, two signs, or a sign and what stands beside it. */
export function isCommonPair(a: number, b: number): boolean {
  if (a < ASCII && b < ASCII) {
    ascii ??= fromRuns(Buffer.from(PAIRS_OF_ASCII, "base64"), ASCII_BITS);
    return ascii[placeOfAsciiPair(a, b)] === 1;
  }
  pairs ??= Buffer.from(PAIRS, "base64");
  const place = placeOfPair(a, b);
  return (((pairs[place >> 3] as number) >> (7 - (place & 7))) & 1) === 1;
}

/** The lengths of runs of zeros and of ones in turn, each with as many zeros before its binary digits as it has digits after the first. */
function fromRuns(bytes: Uint8Array, length: number): Uint8Array {
  const bits = new Uint8Array(length);
  for (let at = 0, place = 0, isOnes = false; at < length; isOnes = !isOnes) {
    const more = Math.clz32(bitsAt(bytes, place));
    const end = at + (bitsAt(bytes, place + more) >>> (31 - more));
    place += 2 * more + 1;
    for (let one = at; isOnes && one < end; one++) bits[one] = 1;
    at = end;
  }
  return bits;
}

/** 25 bits and more from a place on, the first one highest. */
function bitsAt(bytes: Uint8Array, place: number): number {
  const at = place >> 3;
  const four =
    ((bytes[at] as number) << 24) |
    ((bytes[at + 1] ?? 0) << 16) |
    ((bytes[at + 2] ?? 0) << 8) |
    (bytes[at + 3] ?? 0);
  return four << (place & 7);
}

/** The tokens of a character below U+10000 that nothing joins to another. */
export function tokensOfOne(code: number): number {
  if (code < ASCII || isSet(code)) return 1;
  return code < TWO_BYTES || isSet(placeOfBlock(code >> 6)) ? 2 : 3;
}

/** The tokens of a character above U+FFFF. */
export function tokensOfPair(high: number, low: number): number {
  const block = (((high & 0x3ff) << 4) | ((low & 0x3ff) >> 6)) + PLACES / BLOCK;
  if (block >= BLOCKS) return 4;
  return isSet(placeOfBlock(block)) ? 2 : 3;
}
