/** Measures how well a document covers a query, ignoring word order. It counts words rather than terms, ignores single characters, and gives everyday words little weight. */
import { isEveryday } from "./everyday.ts";
import { type Script, tokenize, type Word, wordsOf } from "./tokenizer.ts";

export interface Relevance {
  /** From 0 to 1: the share found of the query's `MOST_ASKED` heaviest words, weighted by rarity and field. The cap makes long and short queries, and all scripts, comparable. */
  readonly relevance: number;
  /** The number of different query words in the document, not counting everyday words. An identifier of several parts counts as two. */
  readonly sharedWords: number;
}

/** The matches of one document, by query term. */
export interface Held {
  /** For each term, the weight of the heaviest field that contains it, or 0 if none does. */
  readonly fieldWeights: readonly number[];
  readonly scripts: readonly Script[];
}

/** The most query words that a document can be expected to contain. */
const MOST_ASKED = 7;
/** The weight of an everyday word, relative to 1 for a word about the subject. */
const EVERYDAY_WEIGHT = 0.1;
/** Fields of this weight or more count fully. A word found only in lighter fields counts proportionally less. */
const FULL_WEIGHT = 1.2;
/** The weight of a word for a document with no text in its script. Such a document can only share names and numbers with the query. */
const FOREIGN_WEIGHT = 0.25;

/** The weight of a pair of Chinese characters that no document contains, because it may belong to two words. */
const UNKNOWN_PAIR_WEIGHT = 0.5;

/** The whole and two parts. */
const LEAST_TERMS_OF_IDENTIFIER = 3;

/** A query word, with its terms as indexes. */
interface Asked extends Pick<Word, "script" | "overlaps"> {
  readonly numbers: readonly number[];
  readonly isTelling: boolean;
  /** Whether the first of several terms is the whole word, as for `retry_count`. */
  readonly isIdentifier: boolean;
  readonly weight: number;
}

/** Returns a function that measures documents for one query. @param terms without repetitions, in the order used by `Held`. @param rarities from 0 to 1. */
export function measureOf(query: string, terms: readonly string[], rarities: readonly number[]) {
  const words = askedWords(query, terms, rarities);
  const wholes = new Map<string, number>();
  return ({ fieldWeights, scripts }: Held): Relevance => {
    const key = scripts.join(" ");
    const whole = wholes.get(key) ?? wholeFor(words, scripts);
    wholes.set(key, whole);
    let shared = 0;
    let sharedWords = 0;
    let isCounted = false;
    // A term counts once: two names of files in a query share only "md" with a third one.
    const counted = new Set<number>();
    // Plain loops for speed, because this runs for every document that contains a query term.
    for (const { numbers, isTelling, isIdentifier, overlaps } of words) {
      let held = 0;
      let heaviest: number | undefined;
      for (const number of numbers) {
        const share = Math.min(1, (fieldWeights[number] as number) / FULL_WEIGHT);
        const weight = (rarities[number] as number) * share;
        if (weight <= held || counted.has(number)) {
          continue;
        }
        held = weight;
        heaviest = number;
      }
      if (heaviest !== undefined) {
        counted.add(heaviest);
      }
      shared += held * (isTelling ? 1 : EVERYDAY_WEIGHT);
      isCounted = held > 0 && isTelling && !(overlaps && isCounted);
      if (isCounted) {
        sharedWords += isIdentifier && fieldWeights[numbers[0] as number] ? 2 : 1;
      }
    }
    return { relevance: Math.min(1, shared / whole), sharedWords };
  };
}

/** Counts the different query words that aren't everyday words. */
export function tellingWords(query: string): number {
  const words = distinct(wordsOf(query), [...new Set(tokenize(query))]);
  return words.filter((word) => isTelling(word, words)).length;
}

function askedWords(query: string, terms: readonly string[], rarities: readonly number[]): Asked[] {
  const places = new Map(terms.map((term, place) => [term, place]));
  const words = distinct(wordsOf(query), terms);
  return words.map(({ script, signs, overlaps }) => {
    const numbers = signs.map((sign) => places.get(sign) as number);
    const rarity = Math.max(...numbers.map((number) => rarities[number] as number));
    const says = isTelling({ signs }, words);
    let weight = says ? rarity : rarity * EVERYDAY_WEIGHT;
    if (script === "Han" && rarity === 1) {
      weight *= UNKNOWN_PAIR_WEIGHT;
    }
    const isIdentifier = numbers.length >= LEAST_TERMS_OF_IDENTIFIER;
    return { script, overlaps, numbers, isTelling: says, isIdentifier, weight };
  });
}

/** Whether a word isn't an everyday word. The only word of a query always counts. */
function isTelling({ signs }: Pick<Word, "signs">, words: readonly unknown[]): boolean {
  return words.length === 1 || !signs.every(isEveryday);
}

/** Removes repeated words. If the query has only single characters, each counts as a word. */
function distinct(words: readonly Word[], terms: readonly string[]): readonly Word[] {
  if (words.length === 0) {
    return terms.map((term) => ({ script: "other", signs: [term], overlaps: false }));
  }
  return [...new Map(words.map((word) => [word.signs.join(" "), word])).values()];
}

/** Returns the total weight of the query words that a document in these scripts can contain. */
function wholeFor(words: readonly Asked[], scripts: readonly Script[]): number {
  return words
    .map(({ script, weight }) =>
      script === "other" || scripts.includes(script) ? weight : weight * FOREIGN_WEIGHT,
    )
    .sort((a, b) => b - a)
    .slice(0, MOST_ASKED)
    .reduce((total, weight) => total + weight, 0);
}
