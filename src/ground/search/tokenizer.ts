/** Splits text into search terms. English words are stemmed, identifiers are indexed whole and in parts, words with accents or signs as written and without, and scripts without spaces are split into pairs of characters. */
import { memoize } from "../core/memoize.ts";
import { readTerm, termOf } from "./english.ts";

const HAN = String.raw`\p{Script=Han}`;
const HANGUL = String.raw`\p{Script=Hangul}`;
const KANA = String.raw`\p{Script=Hiragana}\p{Script=Katakana}ー`;
const LETTER = String.raw`[[\p{L}\p{M}\p{N}]--[${HAN}${HANGUL}${KANA}]]`;

/** Matches a run of one script that is split into pairs, or a word that may contain an identifier's separators and end like `C++` or `C#`. */
const RUNS = new RegExp(
  String.raw`[${HAN}]+|[${HANGUL}]+|[${KANA}]+|(?:${LETTER}|[_.\-](?=[\p{L}\p{N}])|(?<=[A-Za-z])[+#]{1,2}(?!${LETTER}|[+#]))+`,
  "gv",
);

/** Faster patterns for texts of common characters only, which NFKC doesn't split differently. They match in half the time and compile sooner. */
const COMMON =
  /^[\0-\x7f\u2013\u2014\u2018-\u201d\u3001\u3002\u4e00-\u9fff\uac00-\ud7a3\uff01\uff08\uff09\uff0c\uff1a\uff1b\uff1f]*$/;
const COMMON_RUNS =
  /[\u4e00-\u9fff]+|[\uac00-\ud7a3]+|(?:[A-Za-z0-9]|[_.-](?=[A-Za-z0-9\u4e00-\u9fff\uac00-\ud7a3])|(?<=[A-Za-z])[+#]{1,2}(?![A-Za-z0-9+#]))+/g;
const ASCII = /^[\0-\x7f]*$/;

/** Most words match this, and need only stemming. */
const PLAIN = /^[a-z]+$/;

/** The points where an identifier is split: `camel|Case`, `HTTP|Server`, `utf|8`, `8|bit`. */
const JOINTS =
  /[_.-]+|(?<=\p{Ll})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})|(?<=\p{L})(?=\p{N})|(?<=\p{N})(?=\p{L})/u;
const ASCII_JOINTS =
  /[_.-]+|(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|(?<=[A-Za-z])(?=\d)|(?<=\d)(?=[A-Za-z])/;

const WORDS_KEPT = 50_000;
/** Longer runs aren't cached, because they're keys and encoded data that rarely repeat. */
const LONGEST_KEPT = 80;

/** Korean particles of one syllable. A two-syllable word that ends in one is also indexed without it. */
const PARTICLES = new Set("은는이가을를의에로와과도만");

/** Chinese function characters. As single terms they would match nearly everything. */
export const FUNCTION_CHARACTERS = new Set("的了是在和与或也就都而及着吗呢吧");

/** Returns a text's search terms in order, including repetitions. Unicode forms, widths, case and `retry_count`/`retryCount` map to the same term. */
export function tokenize(text: string): string[] {
  const terms: string[] = [];
  for (const run of runsOf(text)) {
    addRun(run, terms);
  }
  return terms;
}

/** A script that is split into pairs, or "other". */
export type Script = "Han" | "Hangul" | "kana" | "other";

const SCRIPTS = Object.entries({ Han: HAN, Hangul: HANGUL, kana: KANA }).map(
  ([script, characters]) => {
    return { script: script as Script, pattern: new RegExp(`[${characters}]`, "u") };
  },
);

/** Returns the scripts in a text that are split into pairs. */
export function scriptsOf(text: string): Script[] {
  return SCRIPTS.filter(({ pattern }) => pattern.test(text)).map(({ script }) => script);
}

/** Returns the script of a run. */
function scriptOf(run: string): Script {
  // Words below the first Hangul letter need no test. These are nearly all English and code.
  return run < "\u1100"
    ? "other"
    : (SCRIPTS.find(({ pattern }) => pattern.test(run))?.script ?? "other");
}

/** A query word, with the search terms that identify it. */
export interface Word {
  readonly script: Script;
  /** The terms that identify the word. Single characters are excluded because they're too ambiguous. */
  readonly signs: readonly string[];
  /** Whether it shares a character with the previous word, as consecutive pairs of Chinese characters do. */
  readonly overlaps: boolean;
}

/** Returns a text's words as well as they can be separated. A Korean word is identified by its uninflected beginning. In Chinese, each pair of characters is a word. */
export function wordsOf(text: string): Word[] {
  return runsOf(text).flatMap((run): Word[] => {
    const signs = [...new Set(tokenize(run))].filter((term) => term.length > 1);
    const script = scriptOf(run);
    if (script === "Han") {
      return signs.map((sign, index) => ({ script, signs: [sign], overlaps: index > 0 }));
    }
    const known = script === "other" ? signs : signs.slice(0, 1);
    return known.length > 0 ? [{ script, signs: known, overlaps: false }] : [];
  });
}

/** Returns a text's words as written, apart from case and width. A run of a script without spaces is one word. */
export const writtenWords = (text: string): string[] => runsOf(text).map(fold);

/** Returns a text's words in NFKC, keeping their case. A run of a script without spaces is one word. */
export function runsOf(text: string): readonly string[] {
  if (COMMON.test(text)) {
    return text.match(COMMON_RUNS) ?? [];
  }
  return text.normalize("NFKC").match(RUNS) ?? [];
}

function addRun(run: string, terms: string[]): void {
  const script = scriptOf(run);
  if (script === "Hangul") {
    addHangul(run, terms);
  } else if (script === "Han") {
    addHan(run, terms);
  } else if (script === "kana") {
    addPairs(run, terms);
  } else {
    addWord(run, terms);
  }
}

function addWord(word: string, terms: string[]): void {
  for (const term of word.length > LONGEST_KEPT ? readWord(word) : termsOfWord(word)) {
    terms.push(term);
  }
}

/** Cached, because lessons repeat the same words, paths and identifiers, and a lookup is much faster than splitting a word again. */
const termsOfWord = memoize(readWord, WORDS_KEPT);

function readWord(word: string): readonly string[] {
  // This calls `readTerm` without its cache, because the caller caches the result.
  if (PLAIN.test(word)) {
    return [readTerm(word)].filter(Boolean);
  }
  const parts = word.split(ASCII.test(word) ? ASCII_JOINTS : JOINTS).map(fold);
  const forms = parts.flatMap((part) => [...new Set([part, plainForm(part)])]);
  const terms = forms.map(termOf).filter(Boolean);
  return parts.filter(Boolean).length > 1 ? [fold(word.replace(/[_-]/g, "")), ...terms] : terms;
}

/** Returns a word without the accents of Latin letters and the signs at its end: `café` as `cafe`, `c++` as `c`. */
function plainForm(word: string): string {
  const letters = word.replace(/[+#]+$/, "").normalize("NFD");
  return letters.replace(/(?<=\p{Script=Latin}\p{M}*)\p{M}/gu, "").normalize("NFC");
}

/** Indexes by UTF-16 code unit are safe, because every Hangul character has only one. */
function addHangul(word: string, terms: string[]): void {
  if (word.length === 2 && PARTICLES.has(word.charAt(1))) {
    terms.push(word.charAt(0));
  }
  if (word.length > 1 || !PARTICLES.has(word)) {
    addPairs(word, terms);
  }
}

function addHan(run: string, terms: string[]): void {
  for (const character of run) {
    if (!FUNCTION_CHARACTERS.has(character)) {
      terms.push(character);
    }
  }
  if (run.length > 1) {
    addPairs(run, terms);
  }
}

/** Adds each pair of neighboring characters, or a single character unchanged. */
function addPairs(run: string, terms: string[]): void {
  const characters = [...run];
  if (characters.length === 1) {
    terms.push(run);
  }
  for (let i = 1; i < characters.length; i++) {
    terms.push(`${characters[i - 1]}${characters[i]}`);
  }
}

/** Folds case. It converts to upper case first, so that `ß` equals `SS`. */
const fold = (word: string): string => word.toUpperCase().toLowerCase();
