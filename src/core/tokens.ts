/** Estimates the tokens of a text: an exact count would need a vocabulary of megabytes, and differs by model. */

import { estimateTokenCount } from "tokenx";
import { tokensByRun } from "./tokens-by-run.ts";

/** Digests and the like, which are not words. */
const DIGEST = { pattern: /^(?=.*\d)(?=.*[A-Za-z])\w{20,}$/, averageCharsPerToken: 1.65 };
const MAY_HAVE_DIGEST = /\w{20}/;

/**
 * Characters of one script to a token of the o200k vocabulary, measured on technical prose in each language. The
 * library's own figures suit Latin text and code; for these they are up to 18 % too high (Hangul, kana) or 70 % too low
 * (digests, Thai, Hangul without spaces).
 */
const CHARACTERS_PER_TOKEN = [
  DIGEST,
  { pattern: /[\u3040-\u30ff]/, averageCharsPerToken: 1.5 }, // kana, alone or among Han
  { pattern: /[\uac00-\ud7a3]{9,}/, averageCharsPerToken: 1.2 }, // Hangul written without spaces
  { pattern: /[\uac00-\ud7a3]/, averageCharsPerToken: 1.75 }, // Hangul
  { pattern: /[\u4e00-\u9fff]/, averageCharsPerToken: 1.4 }, // Han
  { pattern: /[\u0370-\u03ff]/, averageCharsPerToken: 2.8 }, // Greek
  { pattern: /[\u0400-\u04ff]/, averageCharsPerToken: 4.2 }, // Cyrillic
  { pattern: /[\u0600-\u06ff]/, averageCharsPerToken: 4.5 }, // Arabic
  { pattern: /[\u0900-\u097f]/, averageCharsPerToken: 4.5 }, // Devanagari
  { pattern: /[\u0e00-\u0e7f]/, averageCharsPerToken: 2.7 }, // Thai
];

/** All of these scripts. */
const SCRIPTS = /[\u0370-\u04ff\u0600-\u06ff\u0900-\u097f\u0e00-\u0e7f\u3040-\u9fff\uac00-\ud7a3]/;

/** These scripts, blanks and signs beyond ASCII, and East Asian punctuation: where one is, the library looks at the whole text. */
const BEYOND_RUNS =
  /[\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\ufeff\u0370-\u04ff\u0600-\u06ff\u0900-\u097f\u0e00-\u0e7f\u3000-\u9fff\uac00-\ud7a3\uff00-\uffef]/;

/** Where a word or number meets one of these scripts without a space, as in Chinese. */
const SCRIPT_EDGES =
  /(?<=[\u3040-\u9fff\uac00-\ud7a3])(?=[A-Za-z0-9])|(?<=[A-Za-z0-9])(?=[\u3040-\u9fff\uac00-\ud7a3])/g;

/** About how many tokens a text takes: within 10 % of the o200k tokenizer on an answer of several records. */
export function estimateTokens(text: string): number {
  return BEYOND_RUNS.test(text) ? libraryTokens(text) : tokensByRun(text, libraryTokens);
}

/** What the library says, with the figures from here. @internal */
export function libraryTokens(text: string): number {
  // The library tries each pattern on each word, which takes most of the time.
  if (!SCRIPTS.test(text))
    return estimateTokenCount(text, MAY_HAVE_DIGEST.test(text) ? { languageConfigs: [DIGEST] } : {});
  // It goes by words, and takes a word with both for the one script. A space costs nothing.
  return estimateTokenCount(text.replace(SCRIPT_EDGES, " "), { languageConfigs: CHARACTERS_PER_TOKEN });
}
