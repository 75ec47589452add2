/** Which characters are tokens of a vocabulary, and which pairs of them stand together in its tokens. */
import { deflateRawSync } from "node:zlib";
import vocabulary from "gpt-tokenizer/bpeRanks/o200k_base";
import { BITS, BLOCK, placeOfBlock, placeOfPair } from "../src/active-context/tokens/table.ts";

export const TOKEN_TABLE_FILE = "src/active-context/tokens/table-data.ts";

/** Of these alphabets, the pairs that make up this share of all in the vocabulary are common; of other characters every pair is. */
const COMMON = 0.95;
const COMMON_SIGNS = 0.85;
const ALPHABETS: readonly (readonly [RegExp, number])[] = [
  [/^[a-z]{2}$/, COMMON],
  [/^[!-/:-@[-`{-~]{2}$/, COMMON_SIGNS],
  ...["Latin", "Greek", "Cyrillic", "Arabic", "Hebrew", "Devanagari", "Thai"].map(
    (script) => [new RegExp(`^[\\p{Script=${script}}\\p{M}]{2}$`, "u"), COMMON] as const,
  ),
  [/^\p{Script=Han}{2}$/u, 1],
  [/^\p{Script=Hangul}{2}$/u, 1],
  [/^[\u3040-\u30ff]{2}$/, 1],
  [/^[\p{L}\p{M}]{2}$/u, 1],
  [/^[^\p{L}\p{N}\s]{2}$/u, 1],
];

/** The bits of the table, as `tokens/table.ts` reads them. */
export function tokenTable(): Uint8Array {
  const bits = new Uint8Array(BITS / 8);
  const put = (at: number) => {
    bits[at >> 3] = (bits[at >> 3] as number) | (1 << (at & 7));
  };
  const texts = vocabulary.flatMap((token) => (typeof token === "string" ? [token] : []));
  for (const text of texts) if (text.length === 1) put(text.charCodeAt(0));
  const prefixes = new Set(vocabulary.flatMap((token) => (typeof token === "string" ? [] : [token.join()])));
  for (let block = 0; block < 2 ** 16 / BLOCK; block++) {
    const [first, second] = Buffer.from(String.fromCharCode(block * BLOCK));
    if (prefixes.has([first, second].join())) put(placeOfBlock(block));
  }
  for (const pair of commonPairs(texts)) put(placeOfPair(pair.charCodeAt(0), pair.charCodeAt(1)));
  return bits;
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
  const data = deflateRawSync(tokenTable(), { level: 9 }).toString("base64");
  return `/** Made by \`npm run generate\` of the o200k vocabulary. */\n\nexport const TOKEN_TABLE =\n  "${data}";\n`;
}
