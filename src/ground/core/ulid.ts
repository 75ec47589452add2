/** ULIDs: 26 characters of Crockford's base 32 that sort by time, 48 bits of time and 80 others. Computed without big integers, which are slower. */

const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const TIME_LENGTH = 10;
const TAIL_LENGTH = 16;
/** What 48 bits can hold: the year 10889. */
const LATEST = 2 ** 48 - 1;
const FORM = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;

/** The number of bytes that a tail encodes. */
export const TAIL_BYTES = 10;

/** @param timeMs since 1970. @param tail the 80 other bits: random, or from what the id stands for. */
export const ulid = (timeMs: number, tail: Uint8Array): string => ulidTime(timeMs) + ulidTail(tail);

/** The first 10 characters. @param timeMs since 1970; what a ULID cannot hold becomes the nearest that it can. */
export function ulidTime(timeMs: number): string {
  return encode(Math.min(LATEST, Math.max(0, Math.trunc(timeMs))), TIME_LENGTH);
}

/** The last 16 characters, from the first 10 bytes. */
export function ulidTail(bytes: Uint8Array): string {
  const half = (from: number) => encode(readHalf(bytes, from), TAIL_LENGTH / 2);
  return half(0) + half(TAIL_BYTES / 2);
}

/** Whether a text is a ULID by its form. */
export const isUlid = (text: string): boolean => FORM.test(text);

/** In ms since 1970. @param id a ULID by its form. */
export function timeOfUlid(id: string): number {
  const letters = [...id.slice(0, TIME_LENGTH)];
  return letters.reduce((sum, letter) => sum * ALPHABET.length + ALPHABET.indexOf(letter), 0);
}

/** 40 bits, which a number holds exactly and eight letters spell. */
function readHalf(bytes: Uint8Array, from: number): number {
  let value = 0;
  for (const byte of bytes.subarray(from, from + TAIL_BYTES / 2)) value = value * 256 + byte;
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
