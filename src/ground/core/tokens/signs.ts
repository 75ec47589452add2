/** Tokens of signs: what is neither a letter nor a number nor blank. The figures were fitted to o200k. */
import { LETTERS, runAt } from "./sorts.ts";
import { ASCII, isCommonPair, tokensOfOne, tokensOfPair } from "./table.ts";

/** A sign between words is in one token with the word after it: often these, less often those, seldom any other. */
const JOINS_OFTEN = "._";
const JOINS = "/(-";
const [JOINED_OFTEN, JOINED, ALONE] = [0.03, 0.31, 0.8];
/** `'s` and the like, of which the letters count as a word. */
const CONTRACTION = /'(?:[stdm]|re|ve|ll)(?![A-Za-z])/y;
const MORE_FOR_CONTRACTION = -0.7;

/** The space before a sign beyond ASCII, or a control character, is often a token. */
const SPACE_BEFORE = 1;
const SPACE = 0x20;

/** Different signs in a row: a pair that is common is one token, and the first that is not often is, as in `":{"`. */
const FIRST_UNCOMMON = 0.5;
const FIRST_PRINTED = 0x20;

/** How many of the same sign are a token, where it is more than one. */
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
/** A run of ASCII of another length than there is a token for is two and, from here on, three. */
const [TWO, THREE] = [5, 11];
const REST = 0.8;

/** @param isAfterWord whether letters stand before the run. */
export function tokensOfSigns(
  text: string,
  start: number,
  end: number,
  isAfterWord: boolean,
): number {
  const isAfterSpace = text[start - 1] === " ";
  const first = text.charCodeAt(start);
  const isJoined =
    end - start === 1 && first < ASCII && !isAfterSpace && runAt(text, end) === LETTERS;
  if (isJoined) return tokensOfJoined(text, start, isAfterWord);
  let tokens = isAfterSpace && isApart(text, start) ? SPACE_BEFORE : 0;
  let uncommon = 0;
  for (let at = start, before = 0; at < end; ) {
    const code = text.charCodeAt(at);
    let next = at + 1;
    while (next < end && text.charCodeAt(next) === code) next++;
    if (isPrinted(before) && isPrinted(code) && !isCommonPair(before, code) && uncommon++ === 0)
      tokens += FIRST_UNCOMMON;
    else if (isLine(code, next - at)) tokens += 1;
    else tokens += at === start ? tokensOfSign(text, at) : tokensOfNext(text, at, before);
    tokens += moreOfSame(code, next - at);
    before = code;
    at = next;
  }
  return tokens;
}

/** Whether the space before a sign is a token of its own. */
function isApart(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return (
    !isPrinted(code) &&
    !isCommonPair(SPACE, code) &&
    !(isHigh(code) && tokensOfSign(text, at) === 2)
  );
}

function tokensOfJoined(text: string, at: number, isAfterWord: boolean): number {
  const sign = text[at] as string;
  if (isAfterWord && sign === "'" && isContraction(text, at)) return MORE_FOR_CONTRACTION;
  if (runAt(text, at + 2) !== LETTERS)
    return isCommonPair(sign.charCodeAt(0), text.charCodeAt(at + 1)) ? 0 : ALONE;
  if (JOINS_OFTEN.includes(sign)) return JOINED_OFTEN;
  return JOINS.includes(sign) ? JOINED : ALONE;
}

function isContraction(text: string, at: number): boolean {
  CONTRACTION.lastIndex = at;
  return CONTRACTION.test(text);
}

/** @param count of the same sign, of which the first is counted. */
function moreOfSame(code: number, count: number): number {
  if (count === 1) return 0;
  const most = MOST_OF_SAME[code] as number;
  if (most === 1) return (count - 1) * tokensOfOne(code);
  if (code >= ASCII) return Math.floor(count / most) + powersOfTwo(count % most) - 1;
  const rest =
    (count >= TWO && most >= TWO ? REST : 0) + (count >= THREE && most >= THREE ? REST : 0);
  return Math.floor((count - 1) / most) + rest;
}

const isLine = (code: number, count: number): boolean =>
  code >= ASCII && count > 1 && MOST_OF_SAME[code] !== 1;

/** Drawn lines have tokens of 1, 2, 4 and 8 signs. */
function powersOfTwo(count: number): number {
  let powers = 0;
  for (let rest = count; rest > 0; rest >>= 1) powers += rest & 1;
  return powers;
}

function tokensOfNext(text: string, at: number, before: number): number {
  const code = text.charCodeAt(at);
  const alone = tokensOfSign(text, at);
  return alone === 1 && Math.min(before, code) >= FIRST_PRINTED && isCommonPair(before, code)
    ? 0
    : alone;
}

const isPrinted = (code: number): boolean => code >= FIRST_PRINTED && code < ASCII;

function tokensOfSign(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (code < 0xd800 || code > 0xdfff) return tokensOfOne(code);
  if (code >= 0xdc00) return isHigh(text.charCodeAt(at - 1)) ? 0 : 2;
  const next = text.charCodeAt(at + 1);
  return next >= 0xdc00 && next <= 0xdfff ? tokensOfPair(code, next) : 2;
}

const isHigh = (code: number): boolean => code >= 0xd800 && code < 0xdc00;
