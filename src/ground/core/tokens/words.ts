/** Tokens of letters. The figures were fitted to o200k: what people and programs write comes out near it, letters at random not below it. */
import { sortOf, UPPER } from "./sorts.ts";
import { ASCII, isCommonPair, tokensOfOne } from "./table.ts";

/** The pairs in a word of ASCII that no token often has: one is in many a word that is a token. */
const FIRST_UNCOMMON = 0.47;
const MORE_UNCOMMON = 0.96;
/** A run of one small letter has tokens of several. */
const SAME_THRICE = 0.3;
/** By how much a pair makes a word less, where all are common. */
const LESS_FOR_PAIR = 0.008;
/** From so many pairs on, a word is seldom one token. In capitals it begins sooner. */
const LONG = { from: 7, perPair: 0.12 };
const CAPITALS = { from: 3, perPair: 0.13 };

/** Tokens that a letter adds to the one before it, where it is one token by itself: in a common pair, and in any other. */
interface Joining {
  readonly common: number;
  readonly uncommon: number;
}
const LATIN: Joining = { common: 0.78, uncommon: 1.7 };
const ALPHABET: Joining = { common: 0.08, uncommon: 2.25 };
const HAN: Joining = { common: 0.18, uncommon: 1.2 };
const HANGUL_OR_KANA: Joining = { common: 0.23, uncommon: 1.2 };
const SAME_AGAIN = 1;

/** A space is a part of the word after it, but not often of Han and kana. */
const SPACE_BEFORE_EAST_ASIAN = 0.5;

/** The tokens of a run of letters: a word ends before a capital. */
export function tokensOfLetters(text: string, start: number, end: number): number {
  const uncommon = uncommonOfSmall(text, start, end);
  if (uncommon >= 0)
    return end - start <= 2 ? 1 : 1 + moreForPairs(end - start - 1, uncommon, false);
  let tokens = 0;
  for (let from = start, to = start; from < end; from = to) {
    do to++;
    while (to < end && (!isUpper(text, to) || isUpper(text, to - 1)));
    tokens += tokensOfWord(text, from, to);
  }
  const first = text.charCodeAt(start);
  const isApart = isEastAsian(first) && !isHangul(first) && text[start - 1] === " ";
  return tokens + (isApart ? SPACE_BEFORE_EAST_ASIAN : 0);
}

/** The uncommon pairs of small letters of ASCII, which most words are; below 0 for any other. */
function uncommonOfSmall(text: string, start: number, end: number): number {
  let uncommon = 0;
  for (let at = start, before = 0, earlier = 0; at < end; at++) {
    const code = text.charCodeAt(at);
    if (code < 0x61 || code > 0x7a) return -1;
    if (code === before && code === earlier) uncommon += SAME_THRICE;
    else if (at > start && !isCommonPair(before, code)) uncommon++;
    earlier = before;
    before = code;
  }
  return uncommon;
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
      const isWord =
        isCommonPair(before, letter) && (letter !== before || text.charCodeAt(at) === letter);
      if (!isWord) uncommon++;
    } else {
      const alone = tokensOfOne(text.charCodeAt(at));
      if (alone > 1) tokens += alone;
      else if (letter === before) tokens += SAME_AGAIN;
      else
        tokens += isCommonPair(before, letter)
          ? joiningOf(letter).common
          : joiningOf(letter).uncommon;
    }
    before = letter;
  }
  return pairs === 0
    ? tokens
    : tokens + moreForPairs(pairs, uncommon, sortOf(text.charCodeAt(end - 1)) === UPPER);
}

const isUpper = (text: string, at: number): boolean => sortOf(text.charCodeAt(at)) === UPPER;

function smallAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (code < ASCII) return code | 0x20;
  return isUpper(text, at) ? String.fromCharCode(code).toLowerCase().charCodeAt(0) : code;
}

function moreForPairs(pairs: number, uncommon: number, isInCapitals: boolean): number {
  let more = -LESS_FOR_PAIR * pairs;
  if (uncommon > 0) more += FIRST_UNCOMMON + MORE_UNCOMMON * (uncommon - 1);
  more += LONG.perPair * Math.max(0, pairs - LONG.from);
  return isInCapitals ? more + CAPITALS.perPair * Math.max(0, pairs - CAPITALS.from) : more;
}

function joiningOf(letter: number): Joining {
  if (!isEastAsian(letter)) return letter < 0x250 ? LATIN : ALPHABET;
  return letter >= 0x4e00 && letter <= 0x9fff ? HAN : HANGUL_OR_KANA;
}

const isEastAsian = (code: number): boolean => code >= 0x2e80;

const isHangul = (code: number): boolean => code >= 0xac00 && code <= 0xd7a3;
