/** How much of a query a document holds, whatever the order. Counts words, not terms; one character is none, everyday ones weigh next to nothing. */
import { isEveryday } from "./everyday.ts";
import { type Script, tokenize, type Word, wordsOf } from "./tokenizer.ts";

export interface Relevance {
  /** From 0 to 1: the share of the query's `MOST_ASKED` weightiest words, by rarity and field, so that long queries and all scripts are alike. */
  readonly relevance: number;
  /** How many different words of the query the document holds that say what it is about. */
  readonly sharedWords: number;
  /** That of the rarest of these words, by the field that holds it: from 0 (none, or all documents hold it) to 1. */
  readonly rarity: number;
}

/** What a document holds of a query, term by term. */
export interface Held {
  /** The weight of the weightiest field that holds each term; 0 where none does. */
  readonly fieldWeights: readonly number[];
  readonly scripts: readonly Script[];
}

/** As many words of a query as a document can be expected to hold. */
const MOST_ASKED = 7;
/** What a word of an everyday request weighs beside one that says what the work is about. */
const EVERYDAY_WEIGHT = 0.1;
/** A field of this weight or more is what a query resembles: a word that stands only in others counts in proportion less. */
const FULL_WEIGHT = 1.2;
/** What a word weighs for a document without a text in its script: the two can share names and numbers alone. */
const FOREIGN_WEIGHT = 0.25;

/** A word of the query, its terms by number. */
interface Asked extends Pick<Word, "script" | "overlaps"> {
  readonly numbers: readonly number[];
  readonly isTelling: boolean;
  readonly weight: number;
}

/** The measure of documents for one query. @param terms each once; `Held` goes by their order. @param rarities from 0 to 1. */
export function measureOf(query: string, terms: readonly string[], rarities: readonly number[]) {
  const words = askedWords(query, terms, rarities);
  const wholes = new Map<string, number>();
  return ({ fieldWeights, scripts }: Held): Relevance => {
    const key = scripts.join(" ");
    const whole = wholes.get(key) ?? wholeFor(words, scripts);
    wholes.set(key, whole);
    let [shared, sharedWords, rarity, isCounted] = [0, 0, 0, false];
    // Plain loops: a query passes here for every document that holds any of it.
    for (const { numbers, isTelling, overlaps } of words) {
      let held = 0;
      for (const number of numbers) {
        const share = Math.min(1, (fieldWeights[number] as number) / FULL_WEIGHT);
        held = Math.max(held, (rarities[number] as number) * share);
      }
      shared += held * (isTelling ? 1 : EVERYDAY_WEIGHT);
      isCounted = held > 0 && isTelling && !(overlaps && isCounted);
      if (isCounted) sharedWords++;
      if (isTelling) rarity = Math.max(rarity, held);
    }
    return { relevance: Math.min(1, shared / whole), sharedWords, rarity };
  };
}

/** How many different words of a query say what it is about: no document shares more with it. */
export function tellingWords(query: string): number {
  const words = distinct(wordsOf(query), [...new Set(tokenize(query))]);
  return words.filter((word) => isTelling(word, words)).length;
}

function askedWords(query: string, terms: readonly string[], rarities: readonly number[]): Asked[] {
  const places = new Map(terms.map((term, place) => [term, place]));
  const words = distinct(wordsOf(query), terms);
  return words.map(({ script, signs, overlaps }) => {
    const numbers = signs.map((sign) => places.get(sign) as number);
    const says = isTelling({ signs }, words);
    const weight =
      Math.max(...numbers.map((number) => rarities[number] as number)) *
      (says ? 1 : EVERYDAY_WEIGHT);
    return { script, overlaps, numbers, isTelling: says, weight };
  });
}

/** A query of one word is about that word. */
function isTelling({ signs }: Pick<Word, "signs">, words: readonly unknown[]): boolean {
  return words.length === 1 || !signs.every(isEveryday);
}

/** Each word once; where none is known by more than single characters, these are the words. */
function distinct(words: readonly Word[], terms: readonly string[]): readonly Word[] {
  if (words.length === 0)
    return terms.map((term) => ({ script: "other", signs: [term], overlaps: false }));
  return [...new Map(words.map((word) => [word.signs.join(" "), word])).values()];
}

/** What a document in these scripts could hold of the query. */
function wholeFor(words: readonly Asked[], scripts: readonly Script[]): number {
  return words
    .map(({ script, weight }) =>
      script === "other" || scripts.includes(script) ? weight : weight * FOREIGN_WEIGHT,
    )
    .sort((a, b) => b - a)
    .slice(0, MOST_ASKED)
    .reduce((total, weight) => total + weight, 0);
}
