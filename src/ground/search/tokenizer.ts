/** Text to search terms. English words are stemmed; identifiers count whole and in parts; scripts without spaces are cut into pairs of characters. */
import { memoize } from "../core/memoize.ts";
import { readTerm, termOf } from "./english.ts";

const HAN = String.raw`\p{Script=Han}`;
const HANGUL = String.raw`\p{Script=Hangul}`;
const KANA = String.raw`\p{Script=Hiragana}\p{Script=Katakana}ー`;
const LETTER = String.raw`[[\p{L}\p{M}\p{N}]--[${HAN}${HANGUL}${KANA}]]`;

/** A run of one script that is cut into pairs, or a word with the joints of an identifier inside. */
const RUNS = new RegExp(
  String.raw`[${HAN}]+|[${HANGUL}]+|[${KANA}]+|(?:${LETTER}|[_.\-](?=[\p{L}\p{N}]))+`,
  "gv",
);

/** The same runs where a text has only common characters, whose NFKC makes no other words: found in half the time, and sooner made ready. */
const COMMON =
  /^[\0-\x7f\u2013\u2014\u2018-\u201d\u3001\u3002\u4e00-\u9fff\uac00-\ud7a3\uff01\uff08\uff09\uff0c\uff1a\uff1b\uff1f]*$/;
const COMMON_RUNS =
  /[\u4e00-\u9fff]+|[\uac00-\ud7a3]+|(?:[A-Za-z0-9]|[_.-](?=[A-Za-z0-9\u4e00-\u9fff\uac00-\ud7a3]))+/g;
const ASCII = /^[\0-\x7f]*$/;

/** Most words are like this, and need only stemming. */
const PLAIN = /^[a-z]+$/;

/** Where an identifier is split: `camel|Case`, `HTTP|Server`, `utf|8`, `8|bit`. */
const JOINTS =
  /[_.-]+|(?<=\p{Ll})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})|(?<=\p{L})(?=\p{N})|(?<=\p{N})(?=\p{L})/u;
const ASCII_JOINTS =
  /[_.-]+|(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|(?<=[A-Za-z])(?=\d)|(?<=\d)(?=[A-Za-z])/;

const WORDS_KEPT = 50_000;
/** Characters of a run that may come again; longer ones are keys and encoded data. */
const LONGEST_KEPT = 80;

/** Korean particles of one syllable: a two-syllable word that ends in one is also indexed without it. */
const PARTICLES = new Set("은는이가을를의에로와과도만");

/** Chinese function characters; as single terms they would match nearly everything. */
export const FUNCTION_CHARACTERS = new Set("的了是在和与或也就都而及着吗呢吧");

/** The search terms of a text, in order, repeated as they occur. Unicode forms, widths, cases and `retry_count`/`retryCount` give one term. */
export function tokenize(text: string): string[] {
  const terms: string[] = [];
  for (const run of runsOf(text)) addRun(run, terms);
  return terms;
}

/** A script that is cut into pairs, or any other. */
export type Script = "Han" | "Hangul" | "kana" | "other";

const SCRIPTS = Object.entries({ Han: HAN, Hangul: HANGUL, kana: KANA }).map(
  ([script, characters]) => {
    return { script: script as Script, pattern: new RegExp(`[${characters}]`, "u") };
  },
);

/** Which of the scripts that are cut into pairs a text has. */
export function scriptsOf(text: string): Script[] {
  return SCRIPTS.filter(({ pattern }) => pattern.test(text)).map(({ script }) => script);
}

/** The script of a run. */
export function scriptOf(run: string): Script {
  // Words below the first Hangul letter need no test: nearly all English and code.
  return run < "\u1100"
    ? "other"
    : (SCRIPTS.find(({ pattern }) => pattern.test(run))?.script ?? "other");
}

/** A word of a query, by the search terms that tell it from others. */
export interface Word {
  readonly script: Script;
  /** The terms it is known by; none of them is a single character, which says too little. */
  readonly signs: readonly string[];
  /** Whether it has a character in common with the word before it, as pairs of Chinese characters have. */
  readonly overlaps: boolean;
}

/** The words of a text as far as they can be told: a Korean one by its uninflected beginning, in Chinese each pair of characters. */
export function wordsOf(text: string): Word[] {
  return runsOf(text).flatMap((run): Word[] => {
    const signs = [...new Set(tokenize(run))].filter((term) => term.length > 1);
    const script = scriptOf(run);
    if (script === "Han")
      return signs.map((sign, index) => ({ script, signs: [sign], overlaps: index > 0 }));
    const known = script === "other" ? signs : signs.slice(0, 1);
    return known.length > 0 ? [{ script, signs: known, overlaps: false }] : [];
  });
}

/** The words of a text as they are written, but for case and width; a run of a script without spaces is one word. */
export const writtenWords = (text: string): string[] => runsOf(text).map(fold);

/** The words of a text with their case, in NFKC; a run of a script without spaces is one word. */
export function runsOf(text: string): readonly string[] {
  if (COMMON.test(text)) return text.match(COMMON_RUNS) ?? [];
  return text.normalize("NFKC").match(RUNS) ?? [];
}

function addRun(run: string, terms: string[]): void {
  const script = scriptOf(run);
  if (script === "Hangul") addHangul(run, terms);
  else if (script === "Han") addHan(run, terms);
  else if (script === "kana") addPairs(run, terms);
  else addWord(run, terms);
}

function addWord(word: string, terms: string[]): void {
  for (const term of word.length > LONGEST_KEPT ? readWord(word) : termsOfWord(word))
    terms.push(term);
}

/** Remembered: a lesson repeats the same words, paths and identifiers, and to look one up takes a fraction of taking it apart. */
const termsOfWord = memoize(readWord, WORDS_KEPT);

function readWord(word: string): readonly string[] {
  // A term that was forgotten here was forgotten there.
  if (PLAIN.test(word)) return [readTerm(word)].filter((term) => term !== "");
  const parts = word.split(ASCII.test(word) ? ASCII_JOINTS : JOINTS).map(fold);
  const terms = parts.map(termOf).filter((term) => term !== "");
  return parts.filter((part) => part !== "").length > 1
    ? [fold(word.replace(/[_-]/g, "")), ...terms]
    : terms;
}

/** By units: no character of Hangul has two. */
function addHangul(word: string, terms: string[]): void {
  if (word.length === 2 && PARTICLES.has(word.charAt(1))) terms.push(word.charAt(0));
  if (word.length > 1 || !PARTICLES.has(word)) addPairs(word, terms);
}

function addHan(run: string, terms: string[]): void {
  for (const character of run) if (!FUNCTION_CHARACTERS.has(character)) terms.push(character);
  if (run.length > 1) addPairs(run, terms);
}

/** Each two neighbouring characters; a lone one as it is. */
function addPairs(run: string, terms: string[]): void {
  const characters = [...run];
  if (characters.length === 1) terms.push(run);
  for (let i = 1; i < characters.length; i++) terms.push(`${characters[i - 1]}${characters[i]}`);
}

/** Case folding: upper case first, so that `ß` equals `SS`. */
const fold = (word: string): string => word.toUpperCase().toLowerCase();
