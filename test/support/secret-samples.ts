/**
 * Secrets made when the tests run, from the published shapes and a seeded generator: none is written in the repository.
 */

import { FORMATS, spellOut } from "../../src/ground/redaction/detectors/provider-formats.ts";
import { pick, type Random, seeded } from "./random.ts";

export { seeded };

const DIGITS = "0123456789";
const LOWER = "abcdefghijklmnopqrstuvwxyz";
const UPPER = LOWER.toUpperCase();
const LETTERS: Readonly<Record<string, string>> = {
  d: DIGITS,
  x: `${DIGITS}abcdef`,
  l: DIGITS + LOWER,
  u: DIGITS + UPPER,
  w: DIGITS + LOWER + UPPER,
  v: `${DIGITS + LOWER + UPPER}_-`,
  b: `${DIGITS + LOWER + UPPER}+/`,
  p: DIGITS + LOWER + UPPER,
  t: `${DIGITS + LOWER + UPPER}_-`,
  c: `${DIGITS + LOWER + UPPER}_-`,
};

export function letters(random: Random, alphabet: string, length: number): string {
  return Array.from({ length }, () => pick(random, [...(LETTERS[alphabet] ?? alphabet)])).join("");
}

/** One token of each provider format. */
export function providerTokens(
  random: Random,
): { readonly kind: string; readonly token: string }[] {
  return FORMATS.map(({ kind, shape }) => ({
    kind,
    token: pick(random, spellOut(shape)).replace(
      /\{(\w):(\d+)(\+)?(?:-\d+)?\}/g,
      (_, alphabet: string, least: string, open?: string) =>
        // what ends a base64url token is never a hyphen here, so that the end is the same to everyone
        letters(random, alphabet, Number(least) - 1 + (open ? Math.floor(random() * 4) : 0)) +
        letters(
          random,
          alphabet === "d" || alphabet === "x" || alphabet === "l" || alphabet === "u"
            ? alphabet
            : "w",
          1,
        ),
    ),
  }));
}

const WORDS = [
  "winter",
  "galaxy",
  "rocket",
  "tiger",
  "coffee",
  "dragon",
  "quartz",
  "bambus",
  "herbst",
  "pepper",
];

/** Passwords as people choose them, and as generators do. */
export function password(random: Random): string {
  const word = pick(random, WORDS);
  const number = 10 + Math.floor(random() * 2000);
  return pick(random, [
    () => `${word[0]?.toUpperCase()}${word.slice(1)}${number}!`,
    () => `${word}${number}${pick(random, ["!", "?", "#", "$", "@"])}`,
    () =>
      word.replace(/[aeio]/g, (vowel) => ({ a: "@", e: "3", i: "1", o: "0" })[vowel] ?? vowel) +
      number,
    () =>
      letters(random, "w", 7) +
      letters(random, "!#%*-_.", 1) +
      letters(random, DIGITS, 2) +
      letters(random, "w", 6),
  ])();
}

/** An unprefixed key such as most services hand out. */
export function plainKey(random: Random): string {
  return pick(random, [
    () => letters(random, "w", 32),
    () => letters(random, "w", 40),
    () => letters(random, "x", 40),
    () => `a${letters(random, "l", 30)}7`,
  ])();
}

/** In full width, as an input method for Chinese or Japanese writes it. */
export function wide(text: string): string {
  return text.replace(/[!-~]/g, (char) => String.fromCharCode(char.charCodeAt(0) + 0xfee0));
}
