/** Estimates tokens: cuts a text as a tokenizer does, and tells by characters and pairs of them how many parts of its vocabulary there are. */
import { tokensOfSigns } from "./tokens/signs.ts";
import { BLANKS, BREAK, DIGITS, LETTERS, runAt, SIGNS, sortOf } from "./tokens/sorts.ts";
import { ASCII, isCommonPair, tokensOfOne } from "./tokens/table.ts";
import { tokensOfLetters } from "./tokens/words.ts";

const DIGITS_OF_TOKEN = 3;

/** About how many tokens a text takes: within 8 % of o200k from 200 tokens on, for most texts. (docs/limits.md, docs/design/sessions.md) */
export function estimateTokens(text: string): number {
  let tokens = 0;
  let before = 0;
  let run = runAt(text, 0);
  for (let start = 0, end = 0; start < text.length; start = end) {
    let next = run;
    do next = runAt(text, ++end);
    while (next === run);
    if (run === LETTERS) tokens += tokensOfLetters(text, start, end);
    else if (run === BLANKS) tokens += tokensOfBlanks(text, start, end, before === SIGNS);
    else if (run === DIGITS) tokens += tokensOfDigits(text, start, end);
    else tokens += tokensOfSigns(text, start, end, before === LETTERS);
    before = run;
    run = next;
  }
  return Math.ceil(tokens);
}

function tokensOfDigits(text: string, start: number, end: number): number {
  let tokens = Math.ceil((end - start) / DIGITS_OF_TOKEN);
  for (let at = start; at < end; at++)
    if (text.charCodeAt(at) >= ASCII) tokens += tokensOfOne(text.charCodeAt(at));
  return tokens;
}

/** How many of the same are one token. */
const [SPACES, TABS_OR_BREAKS] = [64, 16];
const TAB_BEFORE_WORD = 0.4;
/** A tokenizer knows `\r\n` and an empty line with its indentation; beyond that a change of the character is a token. */
const CHANGES_KNOWN = 2;
const MORE_FOR_CHANGE = 0.7;
const [TAB, LINE_FEED, CARRIAGE_RETURN, BLANK] = [0x09, 0x0a, 0x0d, 0x20];

/** @param isAfterSign whether signs stand before the run. */
function tokensOfBlanks(text: string, start: number, end: number, isAfterSign: boolean): number {
  let afterBreak = start;
  let changes = 0;
  let tokens = 0;
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at);
    if (sortOf(code) === BREAK) afterBreak = at + 1;
    if (code >= ASCII) tokens += tokensOfOne(code);
    else if (at > start && code !== text.charCodeAt(at - 1)) changes++;
  }
  tokens += MORE_FOR_CHANGE * Math.max(0, changes - CHANGES_KNOWN);
  if (afterBreak > start) tokens += tokensOfBreaks(text, start, afterBreak, isAfterSign);
  return afterBreak < end ? tokens + tokensOfIndentation(text, afterBreak, end) : tokens;
}

function tokensOfBreaks(text: string, start: number, end: number, isAfterSign: boolean): number {
  const isPartOfSigns =
    isAfterSign &&
    sortOf(text.charCodeAt(start)) === BREAK &&
    text.charCodeAt(end - 1) !== CARRIAGE_RETURN &&
    (text.charCodeAt(start - 1) < ASCII || isCommonPair(text.charCodeAt(start - 1), LINE_FEED));
  return (isPartOfSigns ? 0 : 1) + Math.floor((end - start) / TABS_OR_BREAKS);
}

function tokensOfIndentation(text: string, start: number, end: number): number {
  const length = end - start;
  const last = text.charCodeAt(end - 1);
  const next = runAt(text, end);
  const most = Math.floor(length / (last === TAB ? TABS_OR_BREAKS : SPACES));
  const isPartOfNext = next === LETTERS || (next === SIGNS && last === BLANK);
  if (!isPartOfNext) return most + (next === 0 || length === 1 ? 1 : 2);
  if (length > 1) return most + 1;
  return last === TAB ? TAB_BEFORE_WORD : 0;
}
