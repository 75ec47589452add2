/** Tokens of signs: what is neither a letter nor a number nor blank. The figures were fitted to o200k. */
import { LETTERS, runAt } from "./sorts.ts";
import { ASCII, isCommonPair, tokensOfOne } from "./table.ts";

/** A sign between words is in one token with the word after it: often these, less often those, seldom any other. */
const JOINS_OFTEN = "._\\";
const JOINS = "/(-";
const [JOINED_OFTEN, JOINED, ALONE] = [0.15, 0.38, 0.8];
/** Of `'s` and the like, of which the letters count as a word. */
const CONTRACTION = /'(?:[stdm]|re|ve|ll)(?![A-Za-z])/y;
const MORE_FOR_CONTRACTION = -0.7;

/** The space before a sign beyond ASCII, or a control character, is often a token. */
const SPACE_BEFORE = 0.4;

/** Different signs in a row: of a pair that is common, and of the first that is not, as in `":{"`. */
const [COMMON, COMMON_BEYOND_ASCII, FIRST_UNCOMMON] = [0.1, 0.5, 0.5];
const FIRST_PRINTED = 0x20;

/** So many of the same sign are a token, where it is more than one. */
const MOST_OF_SAME = new Uint8Array(2 ** 16).fill(1);
for (const [signs, most] of [
  ["&[]`{}·•▄■。、", 2],
  ["\\\"$'(),|█–\u200b！", 4],
  ["<>?@^═━", 8],
  [":;!—…─", 16],
  ["%+~", 30],
  ["#*-./=_", 60],
] as const)
  for (const sign of signs) MOST_OF_SAME[sign.charCodeAt(0)] = most;
/** A run of another length than there is a token for is two and, from here on, three. */
const [TWO, THREE] = [4, 10];
const [REST, REST_BEYOND_ASCII] = [0.8, 1.4];

/** Of a pair of surrogates: of most emoji, of later ones, of the others. */
const [EMOJI, LATER_EMOJI, RARE] = [2.25, 2.8, 4];

/** @param isAfterWord whether letters stand before the run. */
export function tokensOfSigns(text: string, start: number, end: number, isAfterWord: boolean): number {
  const isAfterSpace = text[start - 1] === " ";
  const first = text.charCodeAt(start);
  const isJoined = end - start === 1 && first < ASCII && !isAfterSpace && runAt(text, end) === LETTERS;
  if (isJoined) return tokensOfJoined(text, start, isAfterWord);
  let tokens = tokensOfSign(text, start) + (isAfterSpace && !isPrinted(first) ? SPACE_BEFORE : 0);
  let same = 1;
  let uncommon = 0;
  for (let at = start + 1, before = first; at < end; at++) {
    const code = text.charCodeAt(at);
    if (code === before) tokens += tokensOfSame(text, at, same++);
    else {
      same = 1;
      if (isPrinted(before) && isPrinted(code) && !isCommonPair(before, code) && uncommon++ === 0)
        tokens += FIRST_UNCOMMON;
      else tokens += tokensOfNext(text, at, before);
    }
    before = code;
  }
  return tokens;
}

function tokensOfJoined(text: string, at: number, isAfterWord: boolean): number {
  const sign = text[at] as string;
  if (isAfterWord && sign === "'" && isContraction(text, at)) return MORE_FOR_CONTRACTION;
  if (runAt(text, at + 2) !== LETTERS) return ALONE;
  if (JOINS_OFTEN.includes(sign)) return JOINED_OFTEN;
  return JOINS.includes(sign) ? JOINED : ALONE;
}

function isContraction(text: string, at: number): boolean {
  CONTRACTION.lastIndex = at;
  return CONTRACTION.test(text);
}

/** @param count of the same that stand before it. */
function tokensOfSame(text: string, at: number, count: number): number {
  const code = text.charCodeAt(at);
  const most = MOST_OF_SAME[code] as number;
  if (count % most === 0) return tokensOfSign(text, at);
  const isRest = count === TWO || (count === THREE && most > THREE);
  if (!isRest) return 0;
  return code < ASCII ? REST : REST_BEYOND_ASCII;
}

function tokensOfNext(text: string, at: number, before: number): number {
  const code = text.charCodeAt(at);
  const alone = tokensOfSign(text, at);
  const isPair = alone === 1 && Math.min(before, code) >= FIRST_PRINTED && isCommonPair(before, code);
  if (!isPair) return alone;
  return code < ASCII ? COMMON : COMMON_BEYOND_ASCII;
}

function isPrinted(code: number): boolean {
  return code >= FIRST_PRINTED && code < ASCII;
}

function tokensOfSign(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (code < 0xd800 || code > 0xdfff) return tokensOfOne(code);
  if (code >= 0xdc00) return isHigh(text.charCodeAt(at - 1)) ? 0 : 2;
  if (code === 0xd83c || code === 0xd83d) return EMOJI;
  return code === 0xd83e ? LATER_EMOJI : RARE;
}

function isHigh(code: number): boolean {
  return code >= 0xd800 && code < 0xdc00;
}
