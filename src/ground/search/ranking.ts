/** Ranks documents, best first, by BM25F (weighed fields) with the lower bound of BM25+. `npm run bench:search` chose and measures the figures. */
import { type Held, measureOf, type Relevance } from "./relevance.ts";
import { type Script, scriptsOf, tokenize } from "./tokenizer.ts";

/** What can be found, by the texts of its named fields. */
export interface Document<Item, Field extends string> {
  readonly item: Item;
  readonly fields: Readonly<Record<Field, string>>;
}

/** A document that matches, in its place in the order. */
export interface Ranked<Item> extends Relevance {
  readonly item: Item;
}

/** BM25's k1 (repetition), b (length of the field) and delta (least worth of an occurrence). */
const K = 1.2;
const B = 0.5;
const D = 0.5;

interface Read {
  /** Field by field; of one query alone only those that it has. */
  readonly terms: readonly (readonly string[])[];
  /** How many terms each field has. */
  readonly lengths: readonly number[];
  readonly scripts: readonly Script[];
}

interface Corpus {
  /** One for each document, in the same order. */
  readonly texts: readonly Read[];
  /** In terms, field by field. */
  readonly averageLengths: readonly number[];
  /** By term every place where it stands, in order: that of the document times the number of fields, plus that of the field. */
  readonly places: ReadonlyMap<string, readonly number[]>;
}

interface Match<Item, Field extends string> extends Held {
  readonly document: Document<Item, Field>;
  /** How often it holds each term, fields weighed. */
  readonly frequencies: number[];
  readonly fieldWeights: number[];
}

/** Ranks documents. Each is read once a query needs its words: 10,000 take a third of a second, and no write should wait for it. */
export class Ranking<Item, Field extends string> {
  readonly #fields: readonly Field[];
  readonly #weights: readonly number[];
  #documents: readonly Document<Item, Field>[] = [];
  /** The documents as read; undefined until asked for. */
  #corpus: Corpus | undefined;
  /** By text: a document that comes again with the same text is not read again. */
  #read: ReadonlyMap<string, Read> = new Map();
  /** The terms of the only query; undefined where there may be others. */
  readonly #only: ReadonlySet<string> | undefined;

  /** @param weights how much an occurrence in each field counts. @param query the only one that will be asked: half the time. */
  constructor(weights: Readonly<Record<Field, number>>, query?: string) {
    this.#fields = Object.keys(weights) as Field[];
    this.#weights = this.#fields.map((field) => weights[field]);
    this.#only = query === undefined ? undefined : new Set(tokenize(query));
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
      return rarityOf(
        matches.filter(({ frequencies }) => frequencies[term] !== 0).length,
        this.#documents.length,
      );
    });
    const measure = measureOf(query, asked, rarities);
    const scored = matches.map((match) => ({ match, score: scoreOf(match, rarities) }));
    // The sort is stable.
    scored.sort((a, b) => b.score - a.score);
    return scored.map(({ match }) => ({ item: match.document.item, ...measure(match) }));
  }

  /** In the order of the documents. */
  #match(asked: readonly string[]): Match<Item, Field>[] {
    this.#corpus ??= this.#readAll();
    const { texts, averageLengths, places } = this.#corpus;
    const matches = new Array<Match<Item, Field> | undefined>(texts.length);
    for (const [place, term] of asked.entries()) {
      for (const at of places.get(term) ?? []) {
        const index = Math.floor(at / this.#weights.length);
        const field = at % this.#weights.length;
        const { lengths, scripts } = texts[index] as Read;
        const document = this.#documents[index] as Document<Item, Field>;
        matches[index] ??= {
          document,
          scripts,
          frequencies: zeros(asked.length),
          fieldWeights: zeros(asked.length),
        };
        const { frequencies, fieldWeights } = matches[index];
        const fieldWeight = this.#weights[field] as number;
        const length = (lengths[field] as number) / (averageLengths[field] as number);
        frequencies[place] = (frequencies[place] as number) + fieldWeight / (1 - B + B * length);
        fieldWeights[place] = Math.max(fieldWeights[place] as number, fieldWeight);
      }
    }
    return matches.filter((match) => match !== undefined);
  }

  #readAll(): Corpus {
    const read = new Map<string, Read>();
    const texts = this.#documents.map(({ fields }) => {
      const each = this.#fields.map((field) => fields[field]);
      if (this.#only) return this.#readTexts(each);
      const text = each.join("\0");
      const known = this.#read.get(text) ?? this.#readTexts(each);
      read.set(text, known);
      return known;
    });
    this.#read = read;
    const total = (field: number) =>
      texts.reduce((sum, { lengths }) => sum + (lengths[field] as number), 0);
    const averageLengths = this.#fields.map((_, field) => total(field) / texts.length);
    return { texts, averageLengths, places: this.#placesIn(texts) };
  }

  #placesIn(texts: readonly Read[]): Map<string, number[]> {
    const places = new Map<string, number[]>();
    for (const [index, { terms }] of texts.entries())
      for (const [field, some] of terms.entries())
        for (const term of some) {
          const known = places.get(term);
          const place = index * this.#fields.length + field;
          if (known) known.push(place);
          else places.set(term, [place]);
        }
    return places;
  }

  #readTexts(texts: readonly string[]): Read {
    const all = texts.map(tokenize);
    const only = this.#only;
    const terms = only ? all.map((some) => some.filter((term) => only.has(term))) : all;
    const mayMatch = terms.some(({ length }) => length > 0);
    return {
      terms,
      lengths: all.map(({ length }) => length),
      scripts: mayMatch ? scriptsOf(texts.join("\0")) : [],
    };
  }
}

/** In fewer documents than these a word is not common because some of them hold it. */
const LEAST_DOCUMENTS = 50;

/** How rare a term is: its inverse document frequency, from 1 for one that no document holds down towards 0. */
function rarityOf(holders: number, all: number): number {
  const documents = Math.max(all, LEAST_DOCUMENTS);
  const frequency = (count: number) => Math.log(1 + (documents - count + 0.5) / (count + 0.5));
  return frequency(holders) / frequency(0);
}

function scoreOf(
  { frequencies }: Pick<Match<unknown, string>, "frequencies">,
  rarities: readonly number[],
): number {
  let score = 0;
  let sharedTerms = 0;
  for (const [term, rarity] of rarities.entries()) {
    const frequency = frequencies[term] as number;
    if (frequency === 0) continue;
    score += rarity * (D + (frequency * (K + 1)) / (frequency + K));
    sharedTerms += 1;
  }
  // Different terms together say more than their sum.
  return score * Math.sqrt(sharedTerms);
}

const zeros = (count: number): number[] => new Array<number>(count).fill(0);
