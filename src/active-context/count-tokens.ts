/**
 * Counts tokens so that a cap holds: within a tenth of what a tokenizer counts for what people and programs write, and at most a tenth below it
 * for anything else. A tokenizer cuts a text into words, numbers, signs and blanks, and those into the longest parts that its vocabulary has.
 * This cuts alike, and tells by characters and pairs of them how many parts there are. Pure.
 */
import { remembering } from "../core/remembering.ts";
import { tokensOfBlanks } from "./tokens/blanks.ts";
import { tokensOfSigns } from "./tokens/signs.ts";
import { BLANKS, DIGITS, LETTERS, runAt, SIGNS } from "./tokens/sorts.ts";
import { ASCII, tokensOfOne } from "./tokens/table.ts";
import { tokensOfLetters } from "./tokens/words.ts";

const DIGITS_OF_TOKEN = 3;
const TEXTS_KEPT = 1_000;

/** Remembered: bundles that follow each other show much of the same. */
export const countTokens = remembering((text): number => {
  let tokens = 0;
  let before = 0;
  for (let start = 0, end = 0; start < text.length; start = end) {
    const run = runAt(text, start);
    do end++;
    while (runAt(text, end) === run);
    if (run === LETTERS) tokens += tokensOfLetters(text, start, end);
    else if (run === BLANKS) tokens += tokensOfBlanks(text, start, end, before === SIGNS);
    else if (run === DIGITS) tokens += tokensOfDigits(text, start, end);
    else tokens += tokensOfSigns(text, start, end, before === LETTERS);
    before = run;
  }
  return Math.ceil(tokens);
}, TEXTS_KEPT);

function tokensOfDigits(text: string, start: number, end: number): number {
  let tokens = Math.ceil((end - start) / DIGITS_OF_TOKEN);
  for (let at = start; at < end; at++) if (text.charCodeAt(at) >= ASCII) tokens += tokensOfOne(text.charCodeAt(at));
  return tokens;
}
