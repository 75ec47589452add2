/**
 * Ids of events: `evt_` and a ULID, 48 bits of time and 80 others, in 26 characters of Crockford's base 32.
 *
 * The time is when the event happened. The other 80 bits follow from its origin, so the same line of a transcript has the same
 * ones, on any machine and in any store.
 */
import { hash } from "node:crypto";

const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const PREFIX = "evt_";
const TIME_LENGTH = 10;
const IDENTITY_LENGTH = 16;
/** What 48 bits can hold: the year 10889. */
const LATEST = 2 ** 48 - 1;
const FORM = /^evt_([0-7][0-9A-HJKMNP-TV-Z]{9})([0-9A-HJKMNP-TV-Z]{16})$/;

/** The number of bytes that `identityOf` encodes. */
export const IDENTITY_BYTES = 10;

/**
 * @param time ms since 1970; what a ULID cannot hold becomes the nearest that it can.
 * @param identity the last 16 characters of the id.
 */
export function eventId(time: number, identity: string): string {
  return PREFIX + encode(Math.min(LATEST, Math.max(0, Math.trunc(time))), TIME_LENGTH) + identity;
}

/** What makes an event the same event: 16 characters from the first 80 bits of SHA-256 of its origin or key. */
export function identityFrom(origin: string): string {
  return identityOf(hash("sha256", origin, "buffer"));
}

/** 16 characters from the first 10 bytes. */
export function identityOf(bytes: Uint8Array): string {
  const half = (from: number) => encode(readHalf(bytes, from), IDENTITY_LENGTH / 2);
  return half(0) + half(IDENTITY_BYTES / 2);
}

/** The time and the identity that an id names; undefined where it is not the id of an event. */
export function readEventId(id: string): { time: number; identity: string } | undefined {
  const [, time, identity] = FORM.exec(id) ?? [];
  if (time === undefined || identity === undefined) return undefined;
  return { time: [...time].reduce((sum, letter) => sum * ALPHABET.length + ALPHABET.indexOf(letter), 0), identity };
}

/** 40 bits, which a number holds exactly and eight letters spell. */
function readHalf(bytes: Uint8Array, from: number): number {
  let value = 0;
  for (const byte of bytes.subarray(from, from + IDENTITY_BYTES / 2)) value = value * 256 + byte;
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
