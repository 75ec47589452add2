/** Ranks documents, best first, by BM25F (weighted fields) with the lower bound of BM25+. The parameters were chosen with `9b2ae1a7: bench:search`. */
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

interface Read {
  /** The terms of each field. */
  readonly terms: readonly (readonly string[])[];
  /** The number of terms in each field. */
  readonly lengths: readonly number[];
  readonly scripts: readonly Script[];
}

interface Corpus {
  /** The documents' texts, in the same order as the documents. */
  readonly texts: readonly Read[];
  /** In terms, for each field. */
  readonly averageLengths: readonly number[];
  /** The sorted positions of each term. A position is the document's index times the number of fields, plus the field's index. */
  readonly places: ReadonlyMap<string, readonly number[]>;
}

interface Match<Item, Field extends string> extends Held {
  readonly document: Document<Item, Field>;
  /** The frequency of each term, weighted by field. */
  readonly frequencies: number[];
  readonly fieldWeights: number[];
}

/** Ranks documents. They're tokenized at the first query, because 10,000 take a third of a second. */
export class Ranking<Item, Field extends string> {
  readonly #fields: readonly Field[];
  readonly #weights: readonly number[];
  readonly #documents: readonly Document<Item, Field>[];
  /** The tokenized documents. Undefined until the first query. */
  #corpus: Corpus | undefined;
  /** @param weights the weight of an occurrence in each field. @param documents ties keep their order. */
  constructor(
    weights: Readonly<Record<Field, number>>,
    documents: readonly Document<Item, Field>[],
  ) {
    this.#fields = Object.keys(weights) as Field[];
    this.#weights = this.#fields.map((field) => weights[field]);
    this.#documents = documents;
  }

  /** Returns the matching documents, best first. A query without terms (empty, or only stop words) matches none. */
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
    // The sort is stable, so ties keep their order.
    scored.sort((a, b) => b.score - a.score);
    return scored.map(({ match }) => ({ item: match.document.item, ...measure(match) }));
  }

  /** Returns the matches in document order. */
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
    const texts = this.#documents.map(({ fields }) =>
      readTexts(this.#fields.map((field) => fields[field])),
    );
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
}

function readTexts(texts: readonly string[]): Read {
  const terms = texts.map(tokenize);
  return {
    terms,
    lengths: terms.map(({ length }) => length),
    scripts: scriptsOf(texts.join("\0")),
  };
}

/** Rarity assumes at least this number of documents, so that a word isn't treated as common because a few documents contain it. */
const LEAST_DOCUMENTS = 50;

/** Returns a term's inverse document frequency, scaled to 1 for a term in no document. It falls toward 0 for common terms. */
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
  // Matching different terms is worth more than the sum of their scores.
  return score * Math.sqrt(sharedTerms);
}

const zeros = (count: number): number[] => new Array<number>(count).fill(0);
