/** Ranks documents, best first, by BM25F (weighted fields) with the lower bound of BM25+. The parameters were chosen with `9b2ae1a7: bench:search`. */
import { countEach, sumBy } from "../core/collections.ts";
import { type Held, measureOf, type Relevance } from "./relevance.ts";
import { type Script, scriptsOf, tokenize } from "./tokenizer.ts";

/** A searchable item, with the texts of its named fields. */
export interface Document<Item, Field extends string> {
  readonly item: Item;
  readonly fields: Readonly<Record<Field, string>>;
}

/** A matching document, in ranked order. */
export interface Ranked<Item> extends Relevance {
  readonly item: Item;
}

/** BM25's k1 (repetition), b (length of the field) and delta (minimum value of an occurrence). */
const K = 1.2;
const B = 0.5;
const D = 0.5;

/** A document's texts after tokenizing. */
interface Read {
  /** The number of occurrences of each term, of each field. */
  readonly counts: readonly ReadonlyMap<string, number>[];
  /** The number of terms in each field. */
  readonly lengths: readonly number[];
  readonly scripts: readonly Script[];
}

interface Match<Item> extends Held {
  readonly item: Item;
  /** The frequency of each term, weighted by field. */
  readonly frequencies: readonly number[];
}

/** Ranks documents. They're tokenized at the first query, because 10,000 take a third of a second. */
export class Ranking<Item, Field extends string> {
  readonly #weights: Readonly<Record<Field, number>>;
  readonly #documents: readonly Document<Item, Field>[];
  /** Undefined until the first query. */
  #texts: readonly Read[] | undefined;

  /** @param weights the weight of an occurrence in each field. @param documents ties keep their order. */
  constructor(
    weights: Readonly<Record<Field, number>>,
    documents: readonly Document<Item, Field>[],
  ) {
    this.#weights = weights;
    this.#documents = documents;
  }

  /** Returns the matching documents, best first. A query without terms (empty, or only stop words) matches none. */
  rank(query: string): Ranked<Item>[] {
    const asked = [...new Set(tokenize(query))];
    if (asked.length === 0) {
      return [];
    }
    const matches = this.#match(asked);
    const rarities = asked.map((_, term) => {
      const holders = matches.filter(({ frequencies }) => frequencies[term] !== 0);
      return rarityOf(holders.length, this.#documents.length);
    });
    const measure = measureOf(query, asked, rarities);
    const scored = matches.map((match) => ({ match, score: scoreOf(match, rarities) }));
    // The sort is stable, so ties keep their order.
    scored.sort((a, b) => b.score - a.score);
    return scored.map(({ match }) => ({ item: match.item, ...measure(match) }));
  }

  /** Returns the documents with any of the terms, in their order. */
  #match(asked: readonly string[]): Match<Item>[] {
    const fields = Object.keys(this.#weights) as Field[];
    const weights = fields.map((field) => this.#weights[field]);
    this.#texts ??= this.#documents.map((document) =>
      readTexts(fields.map((field) => document.fields[field])),
    );
    const texts = this.#texts;
    const averages = fields.map(
      (_, field) => sumBy(texts, ({ lengths }) => lengths[field] as number) / texts.length,
    );
    const matches: Match<Item>[] = [];
    for (const [index, text] of texts.entries()) {
      if (!asked.some((term) => text.counts.some((count) => count.has(term)))) {
        continue;
      }
      const { item } = this.#documents[index] as Document<Item, Field>;
      matches.push({ item, ...heldBy(text, asked, weights, averages) });
    }
    return matches;
  }
}

/** Finds the terms in a document's fields. */
function heldBy(
  { counts, lengths, scripts }: Read,
  asked: readonly string[],
  weights: readonly number[],
  averages: readonly number[],
) {
  const frequencies: number[] = [];
  const fieldWeights: number[] = [];
  for (const term of asked) {
    let frequency = 0;
    let heaviest = 0;
    for (const [field, count] of counts.entries()) {
      const occurrences = count.get(term);
      if (occurrences === undefined) {
        continue;
      }
      const weight = weights[field] as number;
      const length = (lengths[field] as number) / (averages[field] as number);
      frequency += (occurrences * weight) / (1 - B + B * length);
      heaviest = Math.max(heaviest, weight);
    }
    frequencies.push(frequency);
    fieldWeights.push(heaviest);
  }
  return { scripts, frequencies, fieldWeights };
}

function readTexts(texts: readonly string[]): Read {
  const fields = texts.map(tokenize);
  const counts = fields.map((terms) => countEach(terms));
  const lengths = fields.map(({ length }) => length);
  return { counts, lengths, scripts: scriptsOf(texts.join("\0")) };
}

/** Rarity assumes at least this number of documents, so that a word isn't treated as common because a few documents contain it. */
const LEAST_DOCUMENTS = 50;

/** Returns a term's inverse document frequency, scaled to 1 for a term in no document. It falls toward 0 for common terms. */
function rarityOf(holders: number, all: number): number {
  const documents = Math.max(all, LEAST_DOCUMENTS);
  const frequency = (count: number) => Math.log(1 + (documents - count + 0.5) / (count + 0.5));
  return frequency(holders) / frequency(0);
}

function scoreOf({ frequencies }: Match<unknown>, rarities: readonly number[]): number {
  let score = 0;
  let sharedTerms = 0;
  for (const [term, rarity] of rarities.entries()) {
    const frequency = frequencies[term] as number;
    if (frequency === 0) {
      continue;
    }
    score += rarity * (D + (frequency * (K + 1)) / (frequency + K));
    sharedTerms += 1;
  }
  // Matching different terms is worth more than the sum of their scores.
  return score * Math.sqrt(sharedTerms);
}
