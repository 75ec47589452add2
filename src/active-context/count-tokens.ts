/** Counts tokens so that a cap holds: near the estimate for what people and programs write, above it for what no tokenizer knows. Pure. */
import { remembering } from "../core/remembering.ts";
import { estimateTokens } from "../core/tokens.ts";

/** Letters and signs of which a token holds one or more. */
const COMMON =
  /[\x20-\x7e\n\t\u00a0-\u024f\u0370-\u04ff\u0600-\u06ff\u0900-\u097f\u0e00-\u0e7f\u2010-\u2027\u2500-\u257f\u3000-\u30ff\u4e00-\u9fff\uac00-\ud7a3\uff00-\uff5e]+/g;
/** Of any other character; an emoji has two or three. */
const TOKENS_OF_OTHERS = 3;
/** A run of letters, digits and signs that is no word: digests, keys, base64. */
const LEAST_DENSE = 24;
const DENSE = new RegExp(String.raw`[^\s\u3000-\u30ff\u4e00-\u9fff\uac00-\ud7a3]{${LEAST_DENSE},}`, "g");
const CHARACTERS_OF_DENSE = 1.7;
const SIGNS = /[^\p{L}\p{N}\s]/gu;
/** Of signs in a row that make no pattern. */
const TOKENS_OF_SIGNS = 0.9;

/** A short id has more tokens than a word of its length. */
const SHORT_ID = /\bevt_[0-9A-Z]{8}\b/g;
const MORE_FOR_ID = 3;

const TEXTS_KEPT = 1_000;

/** A word takes the space before it along, and a number does not. */
const SPACE_BEFORE_NUMBER = /[ \t](?=\d)/g;

/** Remembered: bundles that follow each other show much of the same. */
export const countTokens = remembering((text): number => {
  if (text === "") return 0;
  const others = [...text.replace(COMMON, "")].length;
  let dense = 0;
  for (const run of longRuns(text)) dense += Math.max(0, densityOf(run) - estimateTokens(run));
  const ids = text.match(SHORT_ID)?.length ?? 0;
  const spaces = text.match(SPACE_BEFORE_NUMBER)?.length ?? 0;
  return Math.ceil(estimateTokens(text) + dense + TOKENS_OF_OTHERS * others + MORE_FOR_ID * ids + spaces);
}, TEXTS_KEPT);

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
