/**
 * What the count knows of a vocabulary, in 9 kilobytes: which characters are one token, which blocks of them are two, and which pairs often stand
 * together in a token. The vocabulary itself has megabytes.
 */
import { inflateRawSync } from "node:zlib";
import { TOKEN_TABLE } from "./table-data.ts";

/** So many characters have the same first two bytes of their three in UTF-8. @internal */
export const BLOCK = 64;
export const ASCII = 0x80;
const TWO_BYTES = 0x800;
const PLACES = 2 ** 16;

/** A bit for each character below U+10000, then for each block, then for each pair. */
const BLOCKS_FROM = PLACES;
const PAIRS_FROM = BLOCKS_FROM + PLACES / BLOCK;
const OTHERS_FROM = PAIRS_FROM + ASCII * ASCII;
/** @internal */
export const BITS = OTHERS_FROM + PLACES;

/** @internal */
export function placeOfBlock(block: number): number {
  return BLOCKS_FROM + block;
}

/** Of two small letters or signs. Pairs of ASCII have a bit each; one in five of the others has its bit in common with a pair that is common. @internal */
export function placeOfPair(a: number, b: number): number {
  if (a < ASCII && b < ASCII) return PAIRS_FROM + a * ASCII + b;
  return OTHERS_FROM + (Math.imul(Math.imul(a, 31) ^ Math.imul(b, 0x9e3779b1), 0x85ebca6b) >>> 16);
}

const bytes = inflateRawSync(Buffer.from(TOKEN_TABLE, "base64"));

function isSet(place: number): boolean {
  return (((bytes[place >> 3] as number) >> (place & 7)) & 1) === 1;
}

/** The tokens of a character below U+10000 that nothing joins to another. */
export function tokensOfOne(code: number): number {
  if (code < ASCII || isSet(code)) return 1;
  return code < TWO_BYTES || isSet(placeOfBlock(code >> 6)) ? 2 : 3;
}

/** Whether a token often holds both. */
export function isCommonPair(a: number, b: number): boolean {
  return isSet(placeOfPair(a, b));
}
