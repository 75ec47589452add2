/** ULIDs: 26 characters that sort by time, 48 bits of time and 80 that distinguish. */

const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const FORM = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;
const TIME_CHARACTERS = 10;
const TAIL_BYTES = 10;

/** @param tail 10 bytes. */
export function ulid(timeMs: number, tail: Uint8Array): string {
  return inAlphabet(BigInt(timeMs), TIME_CHARACTERS) + inAlphabet(numberOf(tail), (TAIL_BYTES * 8) / 5);
}

/** Whether a text is a ULID by its form. */
export function isUlid(text: string): boolean {
  return FORM.test(text);
}

function numberOf(bytes: Uint8Array): bigint {
  return bytes.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
}

function inAlphabet(value: bigint, characters: number): string {
  let text = "";
  for (let rest = value; text.length < characters; rest >>= 5n) text = ALPHABET[Number(rest & 31n)] + text;
  return text;
}
