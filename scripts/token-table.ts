/** Which characters are tokens of a vocabulary, and which pairs of them stand together in its tokens. */
import vocabulary from "gpt-tokenizer/bpeRanks/o200k_base";
import {
  ASCII,
  ASCII_BITS,
  BLOCK,
  BLOCKS,
  CHARACTER_BITS,
  PAIR_BITS,
  placeOfAsciiPair,
  placeOfBlock,
  placeOfPair,
} from "../src/ground/core/tokens/table.ts";

export const TOKEN_TABLE_FILE = "src/ground/core/tokens/table-data.ts";

/** The pairs of an alphabet that make up this share of all in the vocabulary are common. */
const COMMON = 0.95;
const COMMON_SIGNS = 0.85;
const COMMON_OTHERS = 0.7;
const ALPHABETS: readonly (readonly [RegExp, number])[] = [
  [/^[a-z]{2}$/, COMMON],
  [/^[!-/:-@[-`{-~]{2}$/, COMMON_SIGNS],
  ...["Latin", "Greek", "Cyrillic", "Arabic", "Hebrew", "Devanagari", "Thai"].map(
    (script) => [new RegExp(`^[\\p{Script=${script}}\\p{M}]{2}$`, "u"), COMMON] as const,
  ),
  [/^\p{Script=Han}{2}$/u, 1],
  [/^\p{Script=Hangul}{2}$/u, 1],
  [/^[\u3040-\u30ff]{2}$/, 1],
  [/^[\p{L}\p{M}]{2}$/u, COMMON_OTHERS],
  [/^[^\p{L}\p{N}\s]{2}$/u, 1],
];

const FIRST_PRINTED = 0x20;
/** A sign and the letter after it, a space and the sign after it, a sign and the line break after it. */
const PAIR_WITH_SIGN = /^(?:[!-/:-@[-`{-~][A-Za-z]| [^\p{L}\p{N}\s\0-~]|[^\p{L}\p{N}\s\0-~]\n)$/u;

/** The bits of the tables that `tokens/table.ts` reads. */
function tokenTables() {
  const ascii = new Uint8Array(ASCII_BITS);
  const characters = new Uint8Array(CHARACTER_BITS);
  const pairs = new Uint8Array(PAIR_BITS);
  const texts = vocabulary.flatMap((token) => (typeof token === "string" ? [token] : []));
  for (const text of texts)
    if (text.length === 1 && text > "\x7f") characters[text.charCodeAt(0)] = 1;
  const prefixes = new Set(
    vocabulary.flatMap((token) => (typeof token === "string" ? [] : [token.join()])),
  );
  for (let block = 0; block < BLOCKS; block++) {
    const bytes = [...Buffer.from(String.fromCodePoint(block * BLOCK))].slice(0, -1);
    if (prefixes.has(bytes.join())) characters[placeOfBlock(block)] = 1;
  }
  for (const pair of [
    ...commonPairs(texts),
    ...texts.filter((text) => PAIR_WITH_SIGN.test(text)),
  ]) {
    const [a, b] = [pair.charCodeAt(0), pair.charCodeAt(1)];
    if (a >= ASCII || b >= ASCII) pairs[placeOfPair(a, b)] = 1;
    else if (a >= FIRST_PRINTED) ascii[placeOfAsciiPair(a, b)] = 1;
  }
  return { ascii, characters, pairs };
}

function commonPairs(texts: readonly string[]): string[] {
  const times = new Map<string, number>();
  for (const text of texts.map((text) => text.trim().toLowerCase()))
    for (let at = 1; at < text.length; at++) {
      const pair = text.slice(at - 1, at + 1);
      times.set(pair, (times.get(pair) ?? 0) + 1);
    }
  const ofAlphabet = ALPHABETS.map((): [string, number][] => []);
  for (const [pair, count] of times)
    ofAlphabet[ALPHABETS.findIndex(([pattern]) => pattern.test(pair))]?.push([pair, count]);
  return ofAlphabet.flatMap((pairs, at) => mostOf(pairs, ALPHABETS[at]?.[1] ?? 1));
}

function mostOf(pairs: readonly [string, number][], share: number): string[] {
  const all = pairs.reduce((sum, [, count]) => sum + count, 0);
  let sum = 0;
  return pairs
    .toSorted((a, b) => b[1] - a[1])
    .filter(([, count]) => {
      const isCommon = sum < share * all;
      sum += count;
      return isCommon;
    })
    .map(([pair]) => pair);
}

/** The file, which the source imports. */
export function tokenTableModule(): string {
  const { ascii, characters, pairs } = tokenTables();
  const tables = {
    PAIRS_OF_ASCII: runsOf(ascii),
    CHARACTERS: runsOf(characters),
    PAIRS: pairs.join(""),
  };
  const said = Object.entries(tables).map(
    ([name, bits]) => `export const ${name} =\n  "${base64Of(bits)}";\n`,
  );
  return ["/** Made by `npm run generate` of the o200k vocabulary. */\n", ...said].join("\n");
}

/** As `tokens/table.ts` reads it: it begins with zeros. */
function runsOf(bits: Uint8Array): string {
  const runs = bits.join("").match(/0+|1+/g) ?? [];
  return runs
    .map(({ length }) => "0".repeat(length.toString(2).length - 1) + length.toString(2))
    .join("");
}

function base64Of(bits: string): string {
  const bytes = (bits.match(/.{1,8}/g) ?? []).map((byte) =>
    Number.parseInt(byte.padEnd(8, "0"), 2),
  );
  return Buffer.from(bytes).toString("base64");
}
