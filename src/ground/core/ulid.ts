/** ULIDs: 26 characters of Crockford's base 32 that sort by time, with 48 bits of time and 80 other bits. BigInt would be slower, so this uses numbers. */

const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const TIME_LENGTH = 10;
const TAIL_LENGTH = 16;
/** The largest 48-bit time, in the year 10889. */
const LATEST = 2 ** 48 - 1;
const FORM = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;

/** The number of bytes encoded in a tail. */
export const TAIL_BYTES = 10;

/** Builds a ULID. @param timeMs since 1970. @param tail the other 80 bits: random, or derived from the content. */
export const ulid = (timeMs: number, tail: Uint8Array): string => ulidTime(timeMs) + ulidTail(tail);

/** Encodes the first 10 characters. @param timeMs since 1970, limited to the range of a ULID. */
export function ulidTime(timeMs: number): string {
  return encode(Math.min(LATEST, Math.max(0, Math.trunc(timeMs))), TIME_LENGTH);
}

/** Encodes the last 16 characters from the first 10 bytes. */
export function ulidTail(bytes: Uint8Array): string {
  const half = (from: number) => encode(readHalf(bytes, from), TAIL_LENGTH / 2);
  return half(0) + half(TAIL_BYTES / 2);
}

/** Whether a text has the format of a ULID. */
export const isUlid = (text: string): boolean => FORM.test(text);

/** Returns the time in ms since 1970. @param id text in ULID format. */
export function timeOfUlid(id: string): number {
  const letters = [...id.slice(0, TIME_LENGTH)];
  return letters.reduce((sum, letter) => sum * ALPHABET.length + ALPHABET.indexOf(letter), 0);
}

/** Reads 40 bits, which fit a number exactly and encode as eight characters. */
function readHalf(bytes: Uint8Array, from: number): number {
  let value = 0;
  for (const byte of bytes.subarray(from, from + TAIL_BYTES / 2)) {
    value = value * 256 + byte;
  }
  return value;
}

function encode(value: number, length: number): string {
  let rest = value;
  let text = "";
  for (let at = 0; at < length; at++) {
    text = ALPHABET[rest % ALPHABET.length] + text;
    rest = Math.floor(rest / ALPHABET.length);
  }
  return text;
}
