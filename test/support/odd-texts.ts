/** Texts that nobody writes as prose: drawings, rare characters, encodings, noise. Each sort is one that a guess at tokens may misjudge. */
import fc from "fast-check";

type Text = fc.Arbitrary<string>;

const LONG = { minLength: 400, maxLength: 800 };

const one = (from: number, to: number): Text =>
  fc.integer({ min: from, max: to }).map((code) => String.fromCodePoint(code));
const any = (characters: string): Text => fc.constantFrom(...characters);
const run = (unit: Text): Text => fc.string({ unit, ...LONG });
const joined = (part: Text, between: string): Text =>
  fc.array(part, { minLength: 60, maxLength: 120 }).map((parts) => parts.join(between));
const words = (unit: Text): Text => joined(fc.string({ unit, minLength: 2, maxLength: 8 }), " ");
const repeated = (sign: Text): Text =>
  fc.tuple(sign, fc.integer({ min: 1, max: 40 })).map(([text, times]) => text.repeat(times));
const bytes = (least: number, most = least) =>
  fc.uint8Array({ minLength: least, maxLength: most }).map(Buffer.from);
const encoded = (encoding: BufferEncoding, least: number, most = least): Text =>
  bytes(least, most).map((bytes) => bytes.toString(encoding));

const LETTERS = "abcdefghijklmnopqrstuvwxyz";
const ALNUM = `${LETTERS}${LETTERS.toUpperCase()}0123456789`;
const SIGNS = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~";
const letter = any(LETTERS);

export const ODD_TEXTS: Readonly<Record<string, Text>> = {
  emoji: run(one(0x1f300, 0x1f64f)),
  "composed emoji": joined(
    any("🚀✅❌🔥").chain((sign) => fc.constantFrom(sign, "👍🏽", "👨‍👩‍👧", "🇰🇷", "⚠️")),
    "",
  ),
  "full-width signs": run(one(0xff01, 0xff5e)),
  "control characters": run(one(0x00, 0x1f)),
  "escapes of a terminal": joined(
    fc.integer({ min: 0, max: 97 }).map((colour) => `\x1b[${colour}mok\x1b[0m`),
    " ",
  ),
  "halves of characters": run(
    fc.integer({ min: 0xd800, max: 0xdfff }).map((code) => String.fromCharCode(code)),
  ),
  base64: encoded("base64", 600),
  "short base64": joined(encoded("base64", 4, 16), " "),
  hex: joined(encoded("hex", 32), "\n"),
  "bytes in hex": joined(encoded("hex", 1), " "),
  "a map of sources": joined(fc.constantFrom("AAAA", "CAAC", "GAAG", "EAAE", "SAAS", "AACA"), ","),
  "random ASCII": run(one(0x21, 0x7e)),
  "random ASCII with spaces": words(one(0x20, 0x7e)),
  "random signs": run(any(SIGNS)),
  brackets: run(any("()[]{}<>")),
  "random ids": joined(fc.string({ unit: any(ALNUM), minLength: 6, maxLength: 14 }), "\n"),
  numbers: joined(fc.nat({ max: 99_999 }).map(String), " "),
  fractions: joined(fc.double({ min: -1, max: 1, noNaN: true }).map(String), ","),
  "numbers in a column": joined(
    fc.nat({ max: 99 }).map((number) => String(number).padStart(8)),
    "\n",
  ),
  "a letter a line": joined(letter, "\n"),
  "words far apart": joined(repeated(fc.constantFrom(" ", "\t")), "a"),
};
