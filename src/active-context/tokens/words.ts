/** Tokens of letters. The figures were fitted to o200k: what people and programs write comes out near it, letters at random not below it. */
import { sortAt, UPPER } from "./sorts.ts";
import { ASCII, isCommonPair, tokensOfOne } from "./table.ts";

/** The pairs in a word of ASCII that no token often has: one is in many a word that is a token. */
const FIRST_UNCOMMON = 0.5;
const MORE_UNCOMMON = 1.15;
/** What words with common pairs only have less. */
const LESS_FOR_PAIR = 0.02;
/** From so many pairs on, a word is seldom one token; the longest are compounds and no words. In capitals it begins sooner. */
const LONG = [
  { from: 7, perPair: 0.1 },
  { from: 11, perPair: 0.3 },
] as const;
const CAPITALS = { from: 3, perPair: 0.2 } as const;

/** Tokens that a letter adds to the one before it, where it is one token by itself: in a common pair, and in any other. */
interface Joining {
  readonly common: number;
  readonly uncommon: number;
}
const LATIN: Joining = { common: 0.35, uncommon: 1.9 };
const ALPHABET: Joining = { common: 0.08, uncommon: 1.9 };
const HAN: Joining = { common: 0.09, uncommon: 1.2 };
const HANGUL_OR_KANA: Joining = { common: 0.32, uncommon: 1.06 };
const SAME_AGAIN = 1;

/** A space is a part of the word after it, but not often of Han and kana. */
const SPACE_BEFORE_EAST_ASIAN = 0.5;

/** Of a run of letters: a word ends before a capital. */
export function tokensOfLetters(text: string, start: number, end: number): number {
  let tokens = 0;
  for (let from = start, to = start; from < end; from = to) {
    do to++;
    while (to < end && (sortAt(text, to) !== UPPER || sortAt(text, to - 1) === UPPER));
    tokens += tokensOfWord(text, from, to);
  }
  const first = text.charCodeAt(start);
  const isApart = isEastAsian(first) && !isHangul(first) && text[start - 1] === " ";
  return tokens + (isApart ? SPACE_BEFORE_EAST_ASIAN : 0);
}

function tokensOfWord(text: string, start: number, end: number): number {
  let before = smallAt(text, start);
  let tokens = tokensOfOne(text.charCodeAt(start));
  let pairs = 0;
  let uncommon = 0;
  for (let at = start + 1; at < end; at++) {
    const letter = smallAt(text, at);
    if (letter < ASCII && before < ASCII) {
      pairs++;
      // In capitals, twice the same is seldom of a word.
      const isWord = isCommonPair(before, letter) && (letter !== before || text.charCodeAt(at) === letter);
      if (!isWord) uncommon++;
    } else tokens += tokensOfNext(before, letter, text.charCodeAt(at));
    before = letter;
  }
  return pairs === 0 ? tokens : tokens + moreForPairs(pairs, uncommon, sortAt(text, end - 1) === UPPER);
}

function smallAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (code < ASCII) return code >= 0x41 && code <= 0x5a ? code | 0x20 : code;
  return sortAt(text, at) === UPPER ? String.fromCharCode(code).toLowerCase().charCodeAt(0) : code;
}

function moreForPairs(pairs: number, uncommon: number, isInCapitals: boolean): number {
  let more = -LESS_FOR_PAIR * pairs;
  if (uncommon > 0) more += FIRST_UNCOMMON + MORE_UNCOMMON * (uncommon - 1);
  for (const { from, perPair } of LONG) more += perPair * Math.max(0, pairs - from);
  return isInCapitals ? more + CAPITALS.perPair * Math.max(0, pairs - CAPITALS.from) : more;
}

function tokensOfNext(before: number, letter: number, code: number): number {
  const alone = tokensOfOne(code);
  if (alone > 1) return alone;
  const joining = joiningOf(letter);
  if (letter === before) return SAME_AGAIN;
  return isCommonPair(before, letter) ? joining.common : joining.uncommon;
}

function joiningOf(letter: number): Joining {
  if (!isEastAsian(letter)) return letter < 0x250 ? LATIN : ALPHABET;
  return letter >= 0x4e00 && letter <= 0x9fff ? HAN : HANGUL_OR_KANA;
}

function isEastAsian(code: number): boolean {
  return code >= 0x2e80;
}

function isHangul(code: number): boolean {
  return code >= 0xac00 && code <= 0xd7a3;
}
