/**
 * Counts tokens so that a cap holds: near what a tokenizer counts for what people and programs write, above it for what no tokenizer knows. The
 * estimate goes by words; this adds what logs, listings and names have besides. Pure.
 */
import { remembering } from "../core/remembering.ts";
import { estimateTokens } from "../core/tokens.ts";

/** Arrows, ticks and bullets of one token; beside a word the estimate takes them for a part of it. */
const TICKS = "←↑→↓⇒−√≤≥■□▲△▶▼◆○●★☆✓✔✅⭐№™₩€";
const TICK_AT_WORD = new RegExp(String.raw`(?<=\w)[${TICKS}]|[${TICKS}](?=\w)`, "g");
/** Letters and signs of which a token holds one or more. */
const COMMON = new RegExp(
  String.raw`[${TICKS}\x20-\x7e\n\t\u00a0-\u024f\u0370-\u04ff\u0600-\u06ff\u0900-\u097f\u0e00-\u0e7f\u2010-\u2027\u2500-\u257f\u3000-\u30ff\u4e00-\u9fff\uac00-\ud7a3\uff00-\uff5e]+`,
  "g",
);
/** Of any other character; an emoji has two or three. */
const TOKENS_OF_OTHERS = 3;

/** A run of letters, digits and signs that is no word: digests, keys, base64. */
const LEAST_DENSE = 24;
const DENSE = new RegExp(String.raw`[^\s\u3000-\u30ff\u4e00-\u9fff\uac00-\ud7a3]{${LEAST_DENSE},}`, "g");
const CHARACTERS_OF_DENSE = 1.7;
const SIGNS = /[^\p{L}\p{N}\s]/gu;
/** Of signs in a row that make no pattern. */
const TOKENS_OF_SIGNS = 0.9;

/** No token holds letters and digits, nor more than three of these; the estimate takes the `20T10` of a time for one. */
const MIXED = /[A-Za-z]+\d[A-Za-z\d]*|\d+[A-Za-z][A-Za-z\d]*/g;
const PARTS = /\d{1,3}|[A-Za-z]+/g;
/** A longer one is a digest to the estimate. */
const LONGEST_MIXED = 19;

/** A sign before a word, as in paths and names, is often in one token with it. */
const JOINED = /(?<=\w)[./_(-](?=[a-z]{2})/g;
const LESS_FOR_JOINED = 0.4;

/** A short id has more tokens than a word of its length. */
const SHORT_ID = /\bevt_[0-9A-Z]{8}\b/g;
const MORE_FOR_ID = 3;

/** A word takes the space before it along, and a number does not. */
const SPACE_BEFORE_NUMBER = /[ \t](?=\d)/g;

const TEXTS_KEPT = 1_000;

/** Remembered: bundles that follow each other show much of the same. */
export const countTokens = remembering((text): number => {
  if (text === "") return 0;
  const others = [...text.replace(COMMON, "")].length;
  return Math.ceil(
    estimateTokens(text) +
      TOKENS_OF_OTHERS * others +
      moreForDense(text) +
      moreForMixed(text) +
      MORE_FOR_ID * timesOf(SHORT_ID, text) +
      timesOf(SPACE_BEFORE_NUMBER, text) +
      timesOf(TICK_AT_WORD, text) -
      LESS_FOR_JOINED * timesOf(JOINED, text),
  );
}, TEXTS_KEPT);

function timesOf(pattern: RegExp, text: string): number {
  return text.match(pattern)?.length ?? 0;
}

function moreForDense(text: string): number {
  let more = 0;
  for (const run of longRuns(text)) more += Math.max(0, densityOf(run) - estimateTokens(run));
  return more;
}

function longRuns(text: string): string[] {
  // Between spaces first: the pattern alone would begin again at each character of each word.
  return (text.match(/\S+/g) ?? [])
    .filter(({ length }) => length >= LEAST_DENSE)
    .flatMap((word) => word.match(DENSE) ?? []);
}

/** A path or an identifier is long, too, and has words. */
function densityOf(run: string): number {
  const signs = run.match(SIGNS)?.length ?? 0;
  const isMixed = /\d/.test(run) && /[A-Za-z]/.test(run) && signs < run.length / 8;
  if (isMixed) return run.length / CHARACTERS_OF_DENSE;
  return signs > run.length / 3 ? signs * TOKENS_OF_SIGNS : 0;
}

function moreForMixed(text: string): number {
  let more = 0;
  for (const word of text.match(MIXED) ?? [])
    if (word.length <= LONGEST_MIXED) more += Math.max(0, timesOf(PARTS, word) - estimateTokens(word));
  return more;
}
