/**
 * Ranks documents by a query, best first: BM25F, which is BM25 over fields that weigh differently, with the lower
 * bound of BM25+.
 *
 * There is no inverted index, only each document's terms as numbers. A query reads them all and counts what it needs, so
 * no index can be out of date. `npm run bench:search` measures it; the figures below were chosen
 * there, and are round because the results hardly change around them.
 */
import { remembering } from "../core/remembering.ts";
import { type Held, measureOf, type Relevance } from "./relevance.ts";
import { runsOf, type Script, scriptsOf, termsOf, tokenize } from "./tokenizer.ts";

/** What can be found, by the texts of its named fields. */
export interface Document<Item, Field extends string> {
  readonly item: Item;
  readonly fields: Readonly<Record<Field, string>>;
  /** Factor of its score; 1 leaves the score as it is. */
  readonly boost: number;
}

/** A document that matches, in its place in the order. */
export interface Ranked<Item> extends Relevance {
  readonly item: Item;
}

/** BM25's k1 (repetition), b (length of the field) and delta (least worth of an occurrence). */
const K = 1.2;
const B = 0.5;
const D = 0.5;
const RUNS_KEPT = 20_000;

/** Terms in their order: how many, and the numbers of those that have one. */
interface Terms {
  readonly length: number;
  readonly numbers: readonly number[];
}

interface Read {
  /** Field by field. */
  readonly terms: readonly Terms[];
  readonly scripts: readonly Script[];
}

interface Entry<Item> extends Read {
  readonly item: Item;
  readonly boost: number;
}

interface Corpus<Item> {
  readonly entries: readonly Entry<Item>[];
  /** In terms, field by field. */
  readonly averageLengths: readonly number[];
}

interface Match<Item> extends Held {
  readonly entry: Entry<Item>;
  /** How often it holds each term, fields weighed. */
  readonly frequencies: readonly number[];
}

/**
 * Ranks a set of documents, which `update` replaces. Each document is read once, when a query first needs its words: that takes
 * a third of a second for 10,000, and writes should not wait for it.
 */
export class Ranking<Item, Field extends string> {
  readonly #fields: readonly Field[];
  readonly #weights: readonly number[];
  #documents: readonly Document<Item, Field>[] = [];
  /** The documents as read; undefined until asked for. */
  #corpus: Corpus<Item> | undefined;
  /** By text: a document that comes again with the same text is not read again. */
  #read: ReadonlyMap<string, Read> = new Map();
  readonly #numbers: Map<string, number>;
  readonly #isForOne: boolean;
  /** Remembered: lessons repeat words, names and files, and to look one up takes a fraction of taking it apart. */
  readonly #readRun = remembering((run): Terms => {
    const terms = termsOf(run);
    return { length: terms.length, numbers: terms.flatMap((term) => this.#numberOf(term) ?? []) };
  }, RUNS_KEPT);

  /**
   * @param weights how much an occurrence in each field counts.
   * @param query the only one that will be asked, which then takes half the time: no other terms are kept.
   */
  constructor(weights: Readonly<Record<Field, number>>, query?: string) {
    this.#fields = Object.keys(weights) as Field[];
    this.#weights = this.#fields.map((field) => weights[field]);
    this.#isForOne = query !== undefined;
    this.#numbers = new Map([...new Set(tokenize(query ?? ""))].map((term, number) => [term, number]));
  }

  /** Replaces the documents; equal matches keep this order. The work is left to the next query. */
  update(documents: readonly Document<Item, Field>[]): void {
    this.#documents = documents;
    this.#corpus = undefined;
  }

  /** The documents that match, best first. A query without a term (empty, or only stop words) matches none. */
  rank(query: string): Ranked<Item>[] {
    const asked = [...new Set(tokenize(query))];
    const matches = asked.length === 0 ? [] : this.#match(asked);
    const rarities = asked.map((_, term) => {
      return rarityOf(matches.filter(({ frequencies }) => frequencies[term] !== 0).length, this.#documents.length);
    });
    const measure = measureOf(query, asked, rarities);
    const scored = matches.map((match) => ({ match, score: scoreOf(match, rarities) }));
    // The sort is stable.
    scored.sort((a, b) => b.score - a.score);
    return scored.map(({ match }) => ({ item: match.entry.item, ...measure(match) }));
  }

  #match(asked: readonly string[]): Match<Item>[] {
    this.#corpus ??= this.#readAll();
    const { entries, averageLengths } = this.#corpus;
    // For the number of a term: its place in the query, from 1; 0 for all others.
    const places = new Uint32Array(this.#numbers.size);
    for (const [place, term] of asked.entries()) {
      const number = this.#numbers.get(term);
      if (number !== undefined) places[number] = place + 1;
    }
    const matches: Match<Item>[] = [];
    for (const entry of entries) {
      const held = heldBy(entry.terms, this.#weights, averageLengths, places, asked.length);
      if (held !== undefined) matches.push({ entry, scripts: entry.scripts, ...held });
    }
    return matches;
  }

  #readAll(): Corpus<Item> {
    const read = new Map<string, Read>();
    const entries = this.#documents.map(({ item, boost, fields }) => {
      const texts = this.#fields.map((field) => fields[field]);
      if (this.#isForOne) return { item, boost, ...this.#readTexts(texts) };
      const text = texts.join("\0");
      const known = this.#read.get(text) ?? this.#readTexts(texts);
      read.set(text, known);
      return { item, boost, ...known };
    });
    this.#read = read;
    const total = (field: number) => sum(entries.map(({ terms }) => terms[field]?.length ?? 0));
    return { entries, averageLengths: this.#fields.map((_, field) => total(field) / entries.length) };
  }

  #readTexts(texts: readonly string[]): Read {
    const terms = texts.map((text) => this.#termsOf(text));
    const mayMatch = terms.some(({ numbers }) => numbers.length > 0);
    return { terms, scripts: mayMatch ? scriptsOf(texts.join("\0")) : [] };
  }

  #termsOf(text: string): Terms {
    let length = 0;
    const numbers: number[] = [];
    for (const run of runsOf(text)) {
      const terms = this.#readRun(run);
      length += terms.length;
      for (const number of terms.numbers) numbers.push(number);
    }
    return { length, numbers };
  }

  #numberOf(term: string): number | undefined {
    const known = this.#numbers.get(term);
    if (known !== undefined || this.#isForOne) return known;
    const number = this.#numbers.size;
    this.#numbers.set(term, number);
    return number;
  }
}

/** What a document holds of the query; an occurrence counts by its field's weight and length. */
function heldBy(
  terms: Read["terms"],
  weights: readonly number[],
  averageLengths: readonly number[],
  places: Uint32Array,
  asked: number,
): Pick<Match<unknown>, "frequencies" | "fieldWeights"> | undefined {
  let frequencies: number[] | undefined;
  let fieldWeights: number[] = [];
  // Plain loops: a query passes here for every term of every document.
  for (let field = 0; field < weights.length; field++) {
    const { length: count, numbers } = terms[field] as Terms;
    if (numbers.length === 0) continue;
    const length = count / (averageLengths[field] as number);
    const fieldWeight = weights[field] as number;
    const weight = fieldWeight / (1 - B + B * length);
    for (let i = 0; i < numbers.length; i++) {
      const place = places[numbers[i] as number] as number;
      if (place === 0) continue;
      if (frequencies === undefined) {
        frequencies = new Array<number>(asked).fill(0);
        fieldWeights = new Array<number>(asked).fill(0);
      }
      frequencies[place - 1] = (frequencies[place - 1] as number) + weight;
      fieldWeights[place - 1] = Math.max(fieldWeights[place - 1] as number, fieldWeight);
    }
  }
  return frequencies && { frequencies, fieldWeights };
}

/** In fewer documents than these a word is not common because some of them hold it. */
const LEAST_DOCUMENTS = 50;

/** How rare a term is: its inverse document frequency, from 1 for one that no document holds down towards 0. */
function rarityOf(holders: number, all: number): number {
  const documents = Math.max(all, LEAST_DOCUMENTS);
  const frequency = (count: number) => Math.log(1 + (documents - count + 0.5) / (count + 0.5));
  return frequency(holders) / frequency(0);
}

function scoreOf<Item>({ entry, frequencies }: Match<Item>, rarities: readonly number[]): number {
  let score = 0;
  let sharedTerms = 0;
  for (const [term, rarity] of rarities.entries()) {
    const frequency = frequencies[term] as number;
    if (frequency === 0) continue;
    score += rarity * (D + (frequency * (K + 1)) / (frequency + K));
    sharedTerms += 1;
  }
  // Different terms together say more than their sum.
  return score * Math.sqrt(sharedTerms) * entry.boost;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
