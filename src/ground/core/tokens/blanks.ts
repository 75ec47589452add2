/** Tokens of blanks, as a tokenizer cuts them: what ends with a line break, what stands before the last one, and the last, which belongs to the next word. */
import { BREAK, LETTERS, runAt, SIGNS, sortOf } from "./sorts.ts";
import { ASCII, isCommonPair, tokensOfOne } from "./table.ts";

/** How many of the same are one token. */
const [SPACES, TABS_OR_BREAKS] = [64, 16];
const TAB_BEFORE_WORD = 0.4;
/** A tokenizer knows `\r\n` and an empty line with its indentation; beyond that a change of the character is a token. */
const CHANGES_KNOWN = 2;
const MORE_FOR_CHANGE = 0.7;
const [TAB, LINE_FEED, CARRIAGE_RETURN, BLANK] = [0x09, 0x0a, 0x0d, 0x20];

/** @param isAfterSign whether signs stand before the run. */
export function tokensOfBlanks(text: string, start: number, end: number, isAfterSign: boolean): number {
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
